import type { User } from '@aisle/client'
import { useQuery } from '@tanstack/react-query'
import { UserPlus, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { useSession } from '../../session/session.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { Page } from '../../ui/page.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import { CreatePersonDialog } from './create-person-dialog.tsx'
import { PersonPanel } from './person-panel.tsx'
import { roleText } from './store-roles.tsx'
import { timeColumn, textColumn } from '../../ui/columns.tsx'
import { stepsOf } from '../../ui/side-panel.tsx'

export function PeopleScreen(): ReactNode {
  const api = useApi()
  const { session } = useSession()
  const [filter, setFilter] = useUrlState('find', '', { isTyped: true })
  const [open, setOpen] = useUrlState('open')
  const [asked] = useUrlState('new')
  const change = useUrlChange()
  const { data, error, refetch } = useQuery({
    queryKey: ['users'],
    queryFn: async () => (await api.users()).users,
  })
  if (error !== null && data === undefined) {
    return <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const rows = data?.filter(({ login }) => login.includes(filter.trim().toLowerCase()))
  const opened = data?.find(({ login }) => login === open)
  const at = rows?.findIndex(({ login }) => login === open) ?? -1
  return (
    <Page
      title="People"
      about="Who can log in, and what they can do in which stores."
      actions={
        <Button variant="primary" icon={UserPlus} onPress={() => change({ new: 'person' })}>
          Add person
        </Button>
      }
    >
      <Table<User>
        label="People"
        name="people"
        rows={rows}
        columns={columnsFor(session.login)}
        rowId={({ login }) => login}
        onOpen={({ login }) => setOpen(login)}
        openRowId={open}
        {...(data === undefined ? {} : { total: data.length })}
        tools={<SearchField label="Find a person" value={filter} onChange={setFilter} />}
        empty={
          <EmptyState icon={Users} title={`No login matches “${filter}”`}>
            Logins are lowercase.
          </EmptyState>
        }
      />
      {opened !== undefined && (
        <PersonPanel
          key={opened.login}
          user={opened}
          onClose={() => setOpen('')}
          {...stepsOf(rows, at, ({ login }) => setOpen(login))}
        />
      )}
      {asked !== '' && <CreatePersonDialog onClose={() => change({ new: undefined })} />}
    </Page>
  )
}

function columnsFor(ownLogin: string): Column<User>[] {
  return [
    textColumn('login', 'Login', ({ login }) => login, {
      cell: ({ login }) => (
        <span className="row">
          <span className="strong cut">{login}</span>
          {login === ownLogin && <Badge>You</Badge>}
        </span>
      ),
    }),
    textColumn('role', 'Role', roleText, { isMain: true }),
    timeColumn('seen', 'Last login', (user) => user.last_login_at, { none: 'Never' }),
    timeColumn('password', 'Password set', (user) => user.password_changed_at),
    timeColumn('created', 'Added', (user) => user.created_at),
  ]
}
