import type { CurrentSession } from '@aisle/client'
import { useState, type ReactNode } from 'react'
import { apiClient, isLoggedOut } from '../api/api.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNote } from '../ui/error-state.tsx'
import { Form } from '../ui/form.tsx'
import { Note } from '../ui/note.tsx'
import { TextField } from '../ui/text-field.tsx'

export function LoginForm({
  knownLogin = '',
  onLoggedIn,
}: {
  readonly knownLogin?: string
  readonly onLoggedIn: (session: CurrentSession) => void
}): ReactNode {
  const [login, setLogin] = useState(knownLogin)
  const [password, setPassword] = useState('')
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async (): Promise<void> => {
    setPending(true)
    setError(undefined)
    try {
      onLoggedIn(await apiClient().logIn({ login, password }))
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }
  return (
    <Form onSubmit={() => void submit()}>
      <TextField
        label="Login"
        name="username"
        autoComplete="username"
        value={login}
        onChange={setLogin}
        autoFocus={knownLogin === ''}
        isRequired
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        autoFocus={knownLogin !== ''}
        isRequired
      />
      {isLoggedOut(error) ? (
        <Note kind="bad">
          The login or the password is wrong. An owner can set another password.
        </Note>
      ) : (
        error !== undefined && <ErrorNote error={error} />
      )}
      <Button type="submit" variant="primary" isPending={isPending}>
        Log in
      </Button>
    </Form>
  )
}
