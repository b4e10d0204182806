import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { useLocation } from 'wouter'
import type { Screen } from './screen.ts'
import { useSession } from '../session/session.ts'
import { ActionMenu } from '../ui/menu.tsx'

/** Who is logged in, at the foot of the rail. */
export function UserMenu({
  isNarrow,
  screens,
}: {
  readonly isNarrow: boolean
  readonly screens: readonly Screen[]
}): ReactNode {
  const { session, logOut } = useSession()
  const [, navigate] = useLocation()
  const trigger = (
    <AriaButton className="rail-user" {...(isNarrow ? { 'aria-label': session.login } : {})}>
      <span className="rail-initial" aria-hidden>
        {[...session.login][0]}
      </span>
      {!isNarrow && <span className="cut">{session.login.split('@')[0]}</span>}
    </AriaButton>
  )
  return (
    <ActionMenu
      label={`${session.login}, ${session.role}`}
      trigger={trigger}
      actions={[
        ...screens.map(({ path, label, icon }) => ({
          id: path,
          label,
          icon,
          ...(path === 'account' ? { about: `${session.login}, ${session.role}` } : {}),
          onAction: () => navigate(`/${path}`),
        })),
        { id: 'log-out', label: 'Log out', icon: LogOut, onAction: () => void logOut() },
      ]}
    />
  )
}
