import { useEffect, useState, type ReactNode } from 'react'
import { apiClient, isLoggedOut } from '../../api/api.ts'
import { Note, SkeletonLines } from '../../ui/states.tsx'
import { Form } from '../../ui/form.tsx'
import { Mark } from '../../ui/mark.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import '../../session/login-screen.css'

/** The page of the one-time link of the first start: here the first owner is created. */
export function FirstRunScreen(): ReactNode {
  // After the #, so it is not sent to the server; it is removed from the address at once.
  const [secret] = useState(() => location.hash.slice(1))
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => apiClient().createFirstOwner({ secret, login, password }),
    onSuccess: () => location.assign('/stores?first=run'),
  })
  useEffect(() => {
    document.title = 'First run · Aisle'
    history.replaceState(history.state, '', location.pathname)
  }, [])
  const check = useQuery({
    queryKey: ['first owner', secret],
    queryFn: () => apiClient().checkFirstOwner({ secret }),
    enabled: secret !== '',
    // The link does not become valid again.
    staleTime: Infinity,
  })
  const isUsedUp = isLoggedOut(check.error) || isLoggedOut(error)
  return (
    <main className="login-page">
      <div className="login-card card">
        <header className="login-header stack gap-4">
          <Mark size={32} />
          <h1>Welcome to Aisle</h1>
          {!isUsedUp && (
            <p className="muted">
              The service is running. Create the owner account: owners have access to everything,
              and can create logins for others.
            </p>
          )}
        </header>
        {secret === '' ? (
          <Note kind="warn">
            The link is incomplete. Copy all of it from the output of the service, including the
            part after the #.
          </Note>
        ) : isUsedUp ? (
          <UsedUp />
        ) : check.isPending ? (
          <SkeletonLines />
        ) : (
          <Form
            onSubmit={mutate}
            error={error ?? check.error}
            submit={{ label: 'Create the owner account', isPending }}
          >
            <TextField
              label="Login"
              name="login"
              about="A name or an email address. No email is sent."
              autoComplete="username"
              value={login}
              onChange={setLogin}
              isRequired
              autoFocus
            />
            <TextField
              label="Password"
              name="password"
              type="password"
              about="At least 10 characters. A few words work well."
              autoComplete="new-password"
              value={password}
              onChange={setPassword}
              isRequired
            />
          </Form>
        )}
        <a href="/" className="small">
          Log in instead
        </a>
      </div>
    </main>
  )
}

/** The link works once, and not at all once there is a user. */
function UsedUp(): ReactNode {
  return (
    <Note kind="warn">
      <div className="stack gap-4">
        <p>This link is no longer valid. It works once, until the first account exists.</p>
        <p>If you have an account, log in. If someone else is the owner, ask them for one.</p>
        <p>
          If nobody has an account, restart the service. It prints a new link. Or run{' '}
          <code>aisle user create LOGIN --role owner</code> with the admin token.
        </p>
      </div>
    </Note>
  )
}
