import type { LucideIcon } from 'lucide-react'
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { Role } from '../session/session.ts'

export interface Screen {
  /** Its part of the address. */
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** The lowest role that sees it. */
  readonly role: Role
  readonly component: LazyExoticComponent<ComponentType>
}

/** A screen with a chunk of its own, loaded when it is first opened. */
export function screen<Name extends string>(
  path: string,
  label: string,
  icon: LucideIcon,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  role: Role = 'analyst',
): Screen {
  return {
    path,
    label,
    icon,
    role,
    component: lazy(async () => ({ default: (await load())[name] })),
  }
}
