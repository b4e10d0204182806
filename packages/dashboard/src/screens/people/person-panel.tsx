import type { User } from '@aisle/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { SessionList } from '../../parts/session-list.tsx'
import { useSession } from '../../session/session.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { Note } from '../../ui/states.tsx'
import { Form } from '../../ui/form.tsx'
import { SidePanel, type SidePanelProps } from '../../ui/side-panel.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../state/toasts.ts'
import { rightsOf, ROLE_OPTIONS } from './create-person-dialog.tsx'
import { StoreRolesField } from './store-roles.tsx'

interface PersonPanelProps extends Pick<SidePanelProps, 'onClose' | 'onPrevious' | 'onNext'> {
  readonly user: User
}

/** A person: role, password, sessions, and what they did. */
export function PersonPanel({ user, ...panel }: PersonPanelProps): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const { session } = useSession()
  const { login } = user
  const isSelf = login === session.login
  const [isDeleting, askDelete] = useState(false)
  const sessions = useQuery({
    queryKey: ['sessions', login],
    queryFn: async () => (await api.sessions(login)).sessions,
  })
  const { mutate: end } = useMutation({
    mutationFn: (id: string | undefined) => api.endSessions(login, id),
    onSuccess: async (_, id) => {
      await queries.invalidateQueries({ queryKey: ['sessions', login] })
      toast(id === undefined ? `All sessions of ${login} ended` : 'Session ended')
    },
    onError: () => toast("Couldn't end the session", 'bad'),
  })
  return (
    <SidePanel
      title={login}
      {...panel}
      footer={
        <>
          <LinkButton to={`/audit?login=${encodeURIComponent(login)}`}>View activity</LinkButton>
          {!isSelf && (
            <Button variant="danger" onPress={() => askDelete(true)}>
              Delete person
            </Button>
          )}
        </>
      }
    >
      {isSelf ? (
        <Note>
          You can't do this to your own account. Your password and sessions are under{' '}
          <a href="/account">Your account</a>.
        </Note>
      ) : (
        <ChangeForm user={user} />
      )}
      <h3>Sessions</h3>
      <SessionList sessions={sessions.data} error={sessions.error} onEnd={end} />
      {(sessions.data?.length ?? 0) > 1 && !isSelf && (
        <div className="row">
          <Button onPress={() => end(undefined)}>End all sessions</Button>
        </div>
      )}
      <ConfirmDialog
        title={`Delete ${login}?`}
        confirmLabel="Delete person"
        isOpen={isDeleting}
        onClose={() => askDelete(false)}
        onConfirm={async () => {
          await api.deleteUser(login)
          await queries.invalidateQueries({ queryKey: ['users'] })
          panel.onClose()
          toast(`${login} deleted`)
        }}
      >
        <p>Logs them out everywhere. Their activity stays in the audit log.</p>
      </ConfirmDialog>
    </SidePanel>
  )
}

function ChangeForm({ user }: { readonly user: User }): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const [role, setRole] = useState(user.role)
  const [stores, setStores] = useState(user.stores ?? {})
  const [password, setPassword] = useState('')
  const rights = rightsOf(role, stores)
  const isRightChanged = !isSame(rights, rightsOf(user.role, user.stores ?? {}))
  const isChanged = isRightChanged || password !== ''
  const change = useMutation({
    mutationFn: () =>
      api.changeUser(user.login, {
        ...(isRightChanged ? rights : {}),
        ...(password === '' ? {} : { password }),
      }),
    onSuccess: async () => {
      setPassword('')
      await queries.invalidateQueries({ queryKey: ['users'] })
      await queries.invalidateQueries({ queryKey: ['sessions', user.login] })
      toast(`${user.login} updated; they must log in again`)
    },
  })
  return (
    <Form
      onSubmit={change.mutate}
      error={change.error}
      submit={isChanged ? { label: 'Save changes', isPending: change.isPending } : undefined}
    >
      <RadioCards label="Role" options={ROLE_OPTIONS} value={role} onChange={setRole} />
      {role === 'member' && <StoreRolesField value={stores} onChange={setStores} />}
      <TextField
        label="New password"
        name="password"
        type="password"
        about="Leave empty to keep it. A new role or password ends their sessions."
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
      />
    </Form>
  )
}

/** The order of stores does not matter. */
function isSame(one: Pick<User, 'role' | 'stores'>, other: Pick<User, 'role' | 'stores'>): boolean {
  const text = ({ role, stores = {} }: Pick<User, 'role' | 'stores'>): string =>
    [role, ...Object.entries(stores).map((entry) => entry.join(' '))].toSorted().join('\n')
  return text(one) === text(other)
}
