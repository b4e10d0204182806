import { ROLES, type Role } from '@aisle/contract'

export type { Role }

/**
 * Whether somebody of a role may do what needs another one: each role includes the ones before it.
 */
export function mayActAs(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}
