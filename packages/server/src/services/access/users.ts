import {
  ApiError,
  type ChangeUserRequest,
  type CreateUserRequest,
  type CurrentSession,
  type StoreRole,
  type DeletedUser,
  type EndedSessions,
  type SessionList,
  type User,
  type UserList,
  type UserRole,
} from '@aisle/contract'
import { normalLogin } from '../../domain/access/login-name.ts'
import { csrfTokenOf, isSessionOver, sessionEndMs } from '../../domain/access/session-rules.ts'
import type {
  AccessDirectory,
  SessionRecord,
  UserRecord,
} from '../../ports/access/access-directory.ts'
import type { AccessKeeper, Rights, StartedSession } from '../../ports/access/access-keeper.ts'
import type { StoreRegistry } from '../../ports/catalog/store-registry.ts'
import type { Clock } from '../../ports/host/clock.ts'

/** Implements the use cases of users and their sessions. */
export interface Access {
  readonly access: AccessKeeper
  readonly directory: AccessDirectory
  readonly registry: Pick<StoreRegistry, 'find'>
  readonly clock: Clock
}

/** @throws ApiError user_exists, invalid_parameter */
export async function createUser(ports: Access, request: CreateUserRequest): Promise<User> {
  const { login, password, role, stores } = request
  const rights = rightsOf(ports, role, stores)
  return presentUser(ports, await ports.access.createUser({ login, password, rights }))
}

export function listUsers(ports: Access): UserList {
  return { users: ports.directory.users().map((user) => presentUser(ports, user)) }
}

/** @throws ApiError user_not_found */
export function describeUser(ports: Access, login: string): User {
  return presentUser(ports, existing(ports.directory, login))
}

/**
 * @param actingLogin the user who makes the request; absent: the administrator
 * @throws ApiError user_not_found, invalid_parameter; forbidden for one's own role
 */
export async function changeUser(
  ports: Access,
  login: string,
  { role, stores, password }: ChangeUserRequest,
  actingLogin: string | undefined,
): Promise<User> {
  const { role: before } = existing(ports.directory, login)
  // An owner always remains who can restore access for others.
  if (role !== undefined && role !== before) refuseSelf(login, actingLogin)
  // A member stays one without being named so again.
  const next = role ?? (stores === undefined ? undefined : before)
  const isSame = next === 'member' && before === 'member' && stores === undefined
  const rights = next === undefined || isSame ? undefined : rightsOf(ports, next, stores)
  return presentUser(ports, await ports.access.changeUser({ login, rights, password }))
}

/**
 * Roles per store are for members only: anybody else has a role in all stores, and would seem to
 * have fewer rights than they have.
 *
 * @throws ApiError invalid_parameter
 */
function rightsOf(
  { registry }: Pick<Access, 'registry'>,
  role: UserRole,
  stores: Readonly<Record<string, StoreRole>> | undefined,
): Rights {
  if (role !== 'member') {
    if (stores === undefined) return { role }
    throw new ApiError(
      'invalid_parameter',
      `Parameter \`stores\` must be left out: the role \`${role}\` applies to all stores. Only a \`member\` has roles per store`,
      { param: 'stores' },
    )
  }
  const grants = Object.entries(stores ?? {}).map(([storeId, storeRole]) => {
    const store = registry.find(storeId)
    if (store !== undefined) return { storeId, createdAt: store.createdAt, role: storeRole }
    throw new ApiError(
      'invalid_parameter',
      `Parameter \`stores\` names a store that does not exist: "${storeId.slice(0, 100)}"`,
      { param: `stores.${storeId.slice(0, 100)}` },
    )
  })
  return { role, stores: grants }
}

/** @throws ApiError user_not_found; forbidden for oneself */
export async function deleteUser(
  { access, directory }: Access,
  login: string,
  actingLogin: string | undefined,
): Promise<DeletedUser> {
  const user = existing(directory, login)
  refuseSelf(login, actingLogin)
  await access.deleteUser({ login })
  return { login: user.login, status: 'deleted' }
}

/** @throws ApiError user_not_found */
export function listSessions(
  { directory, clock }: Access,
  login: string,
  current: SessionRecord | undefined,
): SessionList {
  const nowMs = clock.now()
  const sessions = directory
    .sessionsOf(existing(directory, login).login)
    .filter((session) => !isSessionOver(session, nowMs))
  return {
    sessions: sessions.map((session) => ({
      session_id: session.sessionId,
      login: session.login,
      created_at: isoTime(session.createdMs),
      last_used_at: isoTime(session.lastUsedMs),
      expires_at: isoTime(sessionEndMs(session)),
      address: session.address,
      user_agent: session.userAgent,
      current: session.digest === current?.digest,
    })),
  }
}

/** @throws ApiError user_not_found, session_not_found */
export async function endSession(
  { access, directory }: Access,
  login: string,
  sessionId: string,
): Promise<EndedSessions> {
  existing(directory, login)
  if (await access.endSession({ login, sessionId })) return { status: 'ended', sessions_ended: 1 }
  throw new ApiError('session_not_found', 'There is no session with this id', {
    param: 'session_id',
  })
}

/** @throws ApiError user_not_found */
export async function endSessions(
  { access, directory }: Access,
  login: string,
): Promise<EndedSessions> {
  existing(directory, login)
  return { status: 'ended', sessions_ended: await access.endSessions({ login }) }
}

/** @param imageHosts see `CurrentSession` */
export function presentSession(
  ports: Pick<Access, 'registry'>,
  { secret, session, user }: Omit<StartedSession, 'user' | 'device'> & { readonly user: Rights },
  imageHosts: readonly string[],
): CurrentSession {
  return {
    login: session.login,
    ...presentRights(ports, user),
    session_id: session.sessionId,
    csrf_token: csrfTokenOf(secret),
    created_at: isoTime(session.createdMs),
    expires_at: isoTime(sessionEndMs(session)),
    image_hosts: [...imageHosts],
  }
}

/** Without roles in stores that have been deleted since. */
function presentRights(
  { registry }: Pick<Access, 'registry'>,
  { role, stores }: Rights,
): Pick<User, 'role' | 'stores'> {
  if (role !== 'member') return { role }
  const living = (stores ?? []).filter(
    ({ storeId, createdAt }) => registry.find(storeId)?.createdAt === createdAt,
  )
  return { role, stores: Object.fromEntries(living.map((one) => [one.storeId, one.role])) }
}

function presentUser(ports: Access, user: UserRecord): User {
  const { login, createdAt, passwordChangedAt, lastLoginAt } = user
  return {
    login,
    ...presentRights(ports, user),
    created_at: createdAt,
    password_changed_at: passwordChangedAt,
    ...(lastLoginAt === undefined ? {} : { last_login_at: lastLoginAt }),
  }
}

function existing(directory: AccessDirectory, login: string): UserRecord {
  const user = directory.user(normalLogin(login))
  if (user !== undefined) return user
  throw new ApiError('user_not_found', 'There is no user with this login', { param: 'login' })
}

function refuseSelf(login: string, actingLogin: string | undefined): void {
  if (actingLogin === undefined || normalLogin(login) !== actingLogin) return
  throw new ApiError('forbidden', 'You cannot do this to your own account: ask another owner')
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
