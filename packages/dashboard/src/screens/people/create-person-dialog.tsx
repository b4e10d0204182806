import type { User } from '@aisle/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import type { Role } from '../../session/session.ts'
import { useDraft } from '../../state/draft.ts'
import { RadioCards } from '../../ui/choice.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { StoreRolesField, type StoreRoles } from './store-roles.tsx'
import { toast } from '../../state/toasts.ts'

export const ROLE_OPTIONS: readonly { value: Role; label: string; about: string }[] = [
  {
    value: 'member',
    label: 'Member of some stores',
    about: 'Has a role in each of these stores, and does not see the others.',
  },
  {
    value: 'analyst',
    label: 'Analyst',
    about: 'Sees everything in all stores except secrets: searches, rules, reports.',
  },
  {
    value: 'editor',
    label: 'Editor',
    about: 'Edits the content of all stores: products, rules, settings.',
  },
  {
    value: 'owner',
    label: 'Owner',
    about: 'Also manages stores, keys, people, snapshots and the audit log.',
  },
]

interface Person {
  readonly login: string
  readonly role: Role
  /** Kept while another role is chosen, for a change of mind. */
  readonly stores?: StoreRoles
}

/** Only members have roles per store. */
export function rightsOf(role: Role, stores: StoreRoles): Pick<User, 'role' | 'stores'> {
  return role === 'member' ? { role, stores } : { role }
}

export function CreatePersonDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const draft = useDraft<Person>('person', { login: '', role: 'editor', stores: {} })
  // A password is not stored anywhere.
  const [password, setPassword] = useState('')
  const { login, role, stores = {} } = draft.value
  const adding = useMutation({
    mutationFn: () => api.createUser({ login, password, ...rightsOf(role, stores) }),
    onSuccess: async (user) => {
      await queries.invalidateQueries({ queryKey: ['users'] })
      draft.clear()
      onClose()
      toast(`${user.login} added`)
    },
  })
  return (
    <FormDialog title="Add person" submitLabel="Add person" action={adding} onClose={onClose}>
      <TextField
        label="Login"
        name="login"
        about="A name or an email address. No email is sent."
        autoComplete="off"
        value={login}
        onChange={(next) => draft.set({ login: next, role, stores })}
        isRequired
        autoFocus
      />
      <RadioCards
        label="Role"
        options={ROLE_OPTIONS}
        value={role}
        onChange={(next) => draft.set({ login, role: next, stores })}
      />
      {role === 'member' && (
        <StoreRolesField
          value={stores}
          onChange={(next) => draft.set({ login, role, stores: next })}
        />
      )}
      <TextField
        label="First password"
        name="password"
        type="password"
        about="At least 10 characters. Share it with the person; they can change it under “Your account”."
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        isRequired
      />
    </FormDialog>
  )
}
