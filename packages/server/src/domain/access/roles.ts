import { ROLES, type Role, type StoreRole, type UserRole } from '@aisle/contract'

export type { Role, StoreRole, UserRole }

/** The role of a member in one store. */
export interface StoreGrant {
  readonly storeId: string
  /** A store recreated under the same id is another store, which the role is not for. */
  readonly createdAt: string
  readonly role: StoreRole
}

/** What a user may do, and where. */
export interface Rights {
  readonly role: UserRole
  /** Only of a member. */
  readonly stores?: readonly StoreGrant[]
}

/** Whether a role includes another one; each role includes the ones before it. */
export function mayActAs(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** The role in all stores and the service; undefined for a member of some stores. */
export function roleEverywhere({ role }: Rights): Role | undefined {
  return role === 'member' ? undefined : role
}

/** The role in a store; undefined if the store does not exist for the user. */
export function roleIn(
  { role, stores = [] }: Rights,
  store: Pick<StoreGrant, 'storeId' | 'createdAt'>,
): Role | undefined {
  if (role !== 'member') return role
  return stores.find(
    ({ storeId, createdAt }) => storeId === store.storeId && createdAt === store.createdAt,
  )?.role
}
