import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import type { Role } from '../../session/session.ts'
import { useDraft } from '../../state/draft.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { ROLE_OPTIONS } from './roles.ts'

export function CreatePersonDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const draft = useDraft<{ login: string; role: Role }>('person', { login: '', role: 'editor' })
  // A password is not stored anywhere.
  const [password, setPassword] = useState('')
  const { login, role } = draft.value
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.createUser({ login, role, password }),
    onSuccess: async (user) => {
      await queries.invalidateQueries({ queryKey: ['users'] })
      draft.clear()
      onClose()
      toast(`${user.login} may log in`)
    },
  })
  return (
    <Dialog title="Add a person" isOpen onClose={onClose}>
      <Form onSubmit={() => mutate()} error={error}>
        <TextField
          label="Login"
          name="login"
          about="A name or an e-mail address. No mail is sent to it."
          autoComplete="off"
          value={login}
          onChange={(next) => draft.set({ login: next, role })}
          isRequired
          autoFocus
        />
        <RadioCards
          label="Role"
          options={ROLE_OPTIONS}
          value={role}
          onChange={(next) => draft.set({ login, role: next })}
        />
        <TextField
          label="First password"
          name="password"
          type="password"
          about="10 characters or more. Hand it over; they change it under “Your account”."
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          isRequired
        />
        {error !== null && <ErrorNote error={error} />}
        <div className="form-actions">
          <Button type="submit" variant="primary" isPending={isPending}>
            Add person
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  )
}
