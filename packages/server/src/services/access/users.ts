import {
  ApiError,
  type ChangeUserRequest,
  type CreateUserRequest,
  type CurrentSession,
  type DeletedUser,
  type EndedSessions,
  type SessionList,
  type User,
  type UserList,
} from '@aisle/contract'
import { normalLogin } from '../../domain/access/login-name.ts'
import { csrfTokenOf, isSessionOver, sessionEndMs } from '../../domain/access/session-rules.ts'
import type {
  AccessDirectory,
  SessionRecord,
  UserRecord,
} from '../../ports/access/access-directory.ts'
import type { AccessKeeper, StartedSession } from '../../ports/access/access-keeper.ts'
import type { Clock } from '../../ports/host/clock.ts'

/** Implements the use cases of users and their sessions. */
export interface Access {
  readonly access: AccessKeeper
  readonly directory: AccessDirectory
  readonly clock: Clock
}

export async function createUser({ access }: Access, request: CreateUserRequest): Promise<User> {
  return presentUser(await access.createUser(request))
}

export function listUsers({ directory }: Access): UserList {
  return { users: directory.users().map(presentUser) }
}

/** @throws ApiError user_not_found */
export function describeUser({ directory }: Access, login: string): User {
  return presentUser(existing(directory, login))
}

/**
 * @param actingLogin the user who makes the request; absent: the administrator
 * @throws ApiError user_not_found; forbidden for one's own role
 */
export async function changeUser(
  { access, directory }: Access,
  login: string,
  request: ChangeUserRequest,
  actingLogin: string | undefined,
): Promise<User> {
  const { role } = existing(directory, login)
  // An owner always remains who can restore access for others.
  if (request.role !== undefined && request.role !== role) refuseSelf(login, actingLogin)
  return presentUser(await access.changeUser({ login, ...request }))
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
  {
    secret,
    session,
    user,
  }: Omit<StartedSession, 'user' | 'device'> & { readonly user: Pick<UserRecord, 'role'> },
  imageHosts: readonly string[],
): CurrentSession {
  return {
    login: session.login,
    role: user.role,
    session_id: session.sessionId,
    csrf_token: csrfTokenOf(secret),
    created_at: isoTime(session.createdMs),
    expires_at: isoTime(sessionEndMs(session)),
    image_hosts: [...imageHosts],
  }
}

function presentUser(user: UserRecord): User {
  const { login, role, createdAt, passwordChangedAt, lastLoginAt } = user
  return {
    login,
    role,
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
