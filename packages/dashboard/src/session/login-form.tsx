import type { CurrentSession } from '@aisle/client'
import { useState, type ReactNode } from 'react'
import { apiClient, isLoggedOut } from '../api/api.ts'
import { Note } from '../ui/states.tsx'
import { Form } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useMutation } from '@tanstack/react-query'

export function LoginForm({
  knownLogin = '',
  onLoggedIn,
}: {
  readonly knownLogin?: string
  readonly onLoggedIn: (session: CurrentSession) => void
}): ReactNode {
  const [login, setLogin] = useState(knownLogin)
  const [password, setPassword] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => apiClient().logIn({ login, password }),
    onSuccess: onLoggedIn,
  })
  return (
    <Form
      onSubmit={mutate}
      error={isLoggedOut(error) ? undefined : error}
      submit={{ label: 'Log in', isPending }}
    >
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
      {isLoggedOut(error) && (
        <Note kind="bad">Wrong login or password. An owner can set a new password.</Note>
      )}
    </Form>
  )
}
