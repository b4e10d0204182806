import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { Link } from 'wouter'
import { Hint } from './hint.tsx'
import './button.css'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  /** At most one `primary` on a page. */
  readonly variant?: ButtonVariant
  readonly size?: 'small' | 'medium'
  readonly icon?: LucideIcon
  /** The action is in progress: shown, and further presses are ignored. */
  readonly isPending?: boolean
  readonly children: ReactNode
}

export function Button({
  variant = 'secondary',
  size = 'medium',
  icon: Icon,
  isPending = false,
  children,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <AriaButton
      {...rest}
      isPending={isPending}
      className={`button button-${variant} button-${size}`}
    >
      {isPending ? (
        <span className="button-turning" aria-hidden />
      ) : (
        Icon && <Icon size={16} aria-hidden />
      )}
      <span className="button-text">{children}</span>
    </AriaButton>
  )
}

export interface IconButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  /** What it does, for the tooltip and for screen readers. */
  readonly label: string
  readonly icon: LucideIcon
  readonly size?: 'small' | 'medium'
}

/** A toolbar button: an icon with its label in a tooltip. */
export function IconButton({
  label,
  icon: Icon,
  size = 'small',
  ...rest
}: IconButtonProps): ReactNode {
  return (
    <Hint text={label}>
      <AriaButton
        {...rest}
        aria-label={label}
        className={`button button-ghost button-icon button-${size}`}
      >
        <Icon size={16} aria-hidden />
      </AriaButton>
    </Hint>
  )
}

export interface LinkButtonProps {
  readonly to: string
  readonly variant?: ButtonVariant
  readonly size?: 'small' | 'medium'
  readonly icon?: LucideIcon
  readonly children: ReactNode
}

/** Looks like a button, but is a link to another page. */
export function LinkButton({
  to,
  variant = 'secondary',
  size = 'medium',
  icon: Icon,
  children,
}: LinkButtonProps): ReactNode {
  return (
    <Link href={to} className={`button button-${variant} button-${size}`}>
      {Icon && <Icon size={16} aria-hidden />}
      <span className="button-text">{children}</span>
    </Link>
  )
}
