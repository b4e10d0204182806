import {
  BookOpen,
  Braces,
  PanelLeftClose,
  PanelLeftOpen,
  Search,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { Link, useLocation } from 'wouter'
import { useScreens, type Screen } from './screen.ts'
import { useMayIn } from '../session/session.ts'
import { IconButton } from '../ui/button.tsx'
import { Hint } from '../ui/hint.tsx'
import { openPalette } from './lazy-palette.tsx'
import { storePath, useCurrentStoreId } from '../session/store.ts'
import { StoreSwitcher } from './store-switcher.tsx'
import { ThemeButton } from './theme-button.tsx'
import { UserMenu } from './user-menu.tsx'
import './rail.css'

interface RailProps {
  readonly isNarrow: boolean
  readonly onToggle: () => void
  readonly isSheetOpen: boolean
  readonly onCloseSheet: () => void
}

export function Rail({ isNarrow, onToggle, isSheetOpen, onCloseSheet }: RailProps): ReactNode {
  return (
    <>
      <aside className="rail rail-fixed">
        <RailContent isNarrow={isNarrow} onToggle={onToggle} />
      </aside>
      <ModalOverlay
        className="panel-overlay"
        isOpen={isSheetOpen}
        onOpenChange={(open) => !open && onCloseSheet()}
        isDismissable
      >
        <Modal className="rail rail-sheet">
          <Dialog aria-label="Navigation" className="rail-dialog">
            <RailContent isNarrow={false} />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </>
  )
}

function RailContent({
  isNarrow,
  onToggle,
}: {
  readonly isNarrow: boolean
  readonly onToggle?: () => void
}): ReactNode {
  const storeId = useCurrentStoreId()
  const { store, service, foot } = useScreens()
  return (
    <>
      <div className="rail-top stack gap-8">
        <StoreSwitcher storeId={storeId} isNarrow={isNarrow} />
        <button
          type="button"
          className="rail-find"
          onClick={openPalette}
          {...(isNarrow ? { 'aria-label': 'Go to…' } : {})}
        >
          <Search size={16} aria-hidden />
          {!isNarrow && (
            <>
              <span className="grow">Go to…</span>
              <kbd aria-hidden>Ctrl K</kbd>
            </>
          )}
        </button>
      </div>
      <nav aria-label="Main" className="rail-nav">
        {storeId !== undefined &&
          store.map(({ label, screens }) => (
            <RailGroup key={label} label={isNarrow ? '' : label}>
              {screens.map((one) => (
                <RailLink
                  key={one.path}
                  screen={one}
                  to={storePath(storeId, one.path)}
                  storeId={storeId}
                  isNarrow={isNarrow}
                />
              ))}
            </RailGroup>
          ))}
        <hr className="rail-line" />
        <RailGroup label="">
          {service.map((one) => (
            <RailLink
              key={one.path}
              screen={one}
              to={`/${one.path}`}
              isNarrow={isNarrow}
              isExact={one.path === 'stores'}
            />
          ))}
        </RailGroup>
      </nav>
      <div className="rail-foot">
        <UserMenu isNarrow={isNarrow} screens={foot} />
        <div className="rail-tools">
          <ThemeButton />
          <FootLink label="Documentation" href="/docs/" icon={BookOpen} />
          <FootLink label="API reference" href="/docs/api" icon={Braces} />
          {onToggle !== undefined && (
            <IconButton
              label={isNarrow ? 'Expand navigation' : 'Collapse navigation'}
              icon={isNarrow ? PanelLeftOpen : PanelLeftClose}
              onPress={onToggle}
            />
          )}
        </div>
      </div>
    </>
  )
}

function FootLink({
  label,
  href,
  icon: Icon,
}: {
  readonly label: string
  readonly href: string
  readonly icon: LucideIcon
}): ReactNode {
  return (
    <Hint text={label}>
      <a href={href} className="button button-ghost button-icon button-small" aria-label={label}>
        <Icon size={16} aria-hidden />
      </a>
    </Hint>
  )
}

function RailGroup({
  label,
  children,
}: {
  readonly label: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="rail-group">
      {label !== '' && <p className="rail-label">{label}</p>}
      <ul>{children}</ul>
    </div>
  )
}

function RailLink({
  screen: { label, icon: Icon, role, component },
  to,
  storeId,
  isNarrow,
  isExact = false,
}: {
  readonly screen: Screen
  readonly to: string
  /** Absent: a screen of the service. */
  readonly storeId?: string
  readonly isNarrow: boolean
  readonly isExact?: boolean
}): ReactNode {
  const [path] = useLocation()
  const mayOpen = useMayIn(storeId, role)
  if (!mayOpen) return null
  const isHere = path === to || (!isExact && path.startsWith(`${to}/`))
  const link = (
    <Link
      href={to}
      className="rail-link"
      aria-current={isHere ? 'page' : undefined}
      aria-label={label}
      onPointerEnter={component.preload}
      onFocus={component.preload}
    >
      <Icon size={16} aria-hidden />
      {!isNarrow && <span className="cut">{label}</span>}
    </Link>
  )
  return <li>{isNarrow ? <Hint text={label}>{link}</Hint> : link}</li>
}
