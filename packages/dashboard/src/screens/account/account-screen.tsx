import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatExactTime } from '../../format/time.ts'
import { SessionList } from '../../parts/session-list.tsx'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../state/toasts.ts'

export function AccountScreen(): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const { session, logOut } = useSession()
  const sessions = useQuery({
    queryKey: ['sessions', 'own'],
    queryFn: async () => (await api.ownSessions()).sessions,
  })
  const { mutate: end } = useMutation({
    mutationFn: (id: string) => api.endOwnSession(id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['sessions', 'own'] })
      toast('Session ended')
    },
    onError: () => toast("Couldn't end the session", 'bad'),
  })
  return (
    <Page
      width="reading"
      title="Your account"
      about={`${session.login}, ${session.role}`}
      actions={<Button onPress={() => void logOut()}>Log out</Button>}
    >
      <PasswordForm />
      <Section
        title="Active sessions"
        about={`This session expires at ${formatExactTime(Date.parse(session.expires_at))}, or after 12 hours of inactivity.`}
      >
        <SessionList sessions={sessions.data} error={sessions.error} onEnd={end} />
      </Section>
    </Page>
  )
}

function PasswordForm(): ReactNode {
  const api = useApi()
  const { renew } = useSession()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.changePassword({ current_password: current, new_password: next }),
    onSuccess: (session) => {
      setCurrent('')
      setNext('')
      renew(session)
      toast('Password changed. Your other sessions ended.')
    },
  })
  return (
    <Section title="Password" about="Changing it ends all your other sessions.">
      <Form onSubmit={mutate} error={error} submit={{ label: 'Change password', isPending }}>
        <TextField
          label="Current password"
          name="current_password"
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          isRequired
        />
        <TextField
          label="New password"
          name="new_password"
          type="password"
          about="At least 10 characters. A few words work well."
          autoComplete="new-password"
          value={next}
          onChange={setNext}
          isRequired
        />
      </Form>
    </Section>
  )
}
