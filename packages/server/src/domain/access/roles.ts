import { ROLES, type Role } from '@aisle/contract'

export type { Role }

/** Whether a role includes another one; each role includes the ones before it. */
export function mayActAs(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}
