import { MoreHorizontal, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Text } from 'react-aria-components'
import { IconButton } from './button.tsx'
import './menu.css'

export interface MenuAction {
  /** Unique in its menu. */
  readonly label: string
  readonly icon?: LucideIcon
  readonly about?: string
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
  readonly onAction: () => void
}

/** A button that opens a list of actions. Without a trigger it is three dots. */
export function ActionMenu({
  label = 'More',
  actions,
  trigger,
}: {
  readonly label?: string
  readonly actions: readonly MenuAction[]
  readonly trigger?: ReactNode
}): ReactNode {
  return (
    <MenuTrigger>
      {trigger ?? <IconButton label={label} icon={MoreHorizontal} />}
      <Popover className="menu-popover floating" placement="bottom end" offset={4}>
        <AriaMenu
          className="menu"
          aria-label={label}
          disabledKeys={actions
            .filter(({ isDisabled }) => isDisabled)
            .map((action) => action.label)}
        >
          {actions.map(({ label: text, icon: Icon, about, isDangerous, onAction }) => (
            <MenuItem
              key={text}
              id={text}
              textValue={text}
              onAction={onAction}
              className={isDangerous === true ? 'menu-item menu-item-danger' : 'menu-item'}
            >
              {Icon !== undefined && <Icon size={16} aria-hidden />}
              <span className="grow">
                <Text slot="label">{text}</Text>
                {about !== undefined && (
                  <Text slot="description" className="menu-about">
                    {about}
                  </Text>
                )}
              </span>
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
