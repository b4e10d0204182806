import { timingSafeEqual } from 'node:crypto'
import { ApiError, SESSIONS_PER_USER_MAX, USERS_MAX } from '@aisle/contract'
import { AccessTable, userRecord } from '../../domain/access/access-table.ts'
import type {
  AccessChange,
  SessionRecord,
  UserRecord,
  UserRow,
} from '../../domain/access/access-table.ts'
import type { NewAuditEntry } from '../../domain/access/audit.ts'
import { AdminTokenLimits } from '../../domain/access/admin-token-limits.ts'
import { knownDevice, newDevice } from '../../domain/access/known-device.ts'
import { checkLogin, checkNewPassword, normalLogin } from '../../domain/access/login-name.ts'
import { LoginLimits } from '../../domain/access/login-limits.ts'
import { isOutdated, PASSWORD_COST, type PasswordCost } from '../../domain/access/password-hash.ts'
import type { Rights } from '../../domain/access/roles.ts'
import { isSessionOver, newSession, newSessionSecret } from '../../domain/access/session-rules.ts'
import { digestOf, newAdminToken } from '../../domain/access/store-keys.ts'
import type {
  AccessKeeper,
  SessionOrigin,
  SessionUse,
  StartedSession,
} from '../../ports/access/access-keeper.ts'
import { StaleAccessError, type AccessStore } from '../../ports/access/access-store.ts'
import type { Clock } from '../../ports/host/clock.ts'
import { AuditLog } from './audit-log.ts'
import { PasswordQueue } from './password-queue.ts'

export interface AccessControlOptions {
  readonly store: AccessStore
  readonly clock: Clock
  /** Informs every thread; called after the commit, before the response. */
  readonly publish: (change: AccessChange) => void
  /** Entries of the audit log older than this are removed. */
  readonly auditDays: number
  readonly adminToken: AdminTokenKeeper
  /**
   * SHA-256 of the secret that allows creating the first owner, 64 hex digits. Absent if there is
   * no such link.
   */
  readonly firstRunDigest?: string | undefined
  /**
   * Whether this login may become the first owner: another node may be creating another one. Absent
   * if there is no other node.
   */
  readonly claimFirstOwner?: ((login: string) => Promise<boolean>) | undefined
  /** Makes the link for the first owner invalid on every node, before the first user exists. */
  readonly endFirstRun?: (() => Promise<void>) | undefined
  /** Signs the cookies of known browsers (domain/access/known-device.ts). */
  readonly deviceKey: string
  /** Tests use a cheap cost. */
  readonly passwordCost?: PasswordCost
}

/**
 * Maximum number of attempts of a change that conflicts with changes of other nodes. One node
 * succeeds in each round, so no node waits long.
 */
const DECISIONS_MAX = 20

interface NewUser {
  readonly login: string
  readonly rights: Rights
  readonly password: string
}

export interface AdminTokenKeeper {
  /** SHA-256 of the token at startup, 64 hex digits. */
  readonly digest: string
  /** Stores the digest of a new token. Absent: the token comes from the configuration. */
  readonly save?: ((digest: string) => Promise<void>) | undefined
}

/**
 * Makes all changes to users, sessions and the audit log: each change is decided, committed and
 * published before the next one. Passwords are checked outside this order, one at a time.
 */
export class AccessControl implements AccessKeeper {
  readonly #options: AccessControlOptions
  readonly #table = new AccessTable<UserRow>()
  readonly #passwords: PasswordQueue
  readonly #audit: AuditLog
  readonly #cost: PasswordCost
  readonly #limits = new LoginLimits()
  readonly #adminLimits = new AdminTokenLimits()
  /** There is a user, or has been one: the link for the first owner is never valid again. */
  #isFirstRunOver = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: AccessControlOptions) {
    const { store, publish, passwordCost = PASSWORD_COST } = options
    this.#options = options
    this.#cost = passwordCost
    this.#passwords = new PasswordQueue(passwordCost)
    this.#audit = new AuditLog({ ...options, exclusive: (run) => this.#exclusive(run) })
    const all = { users: store.users(), sessions: store.sessions() }
    this.#table.apply(all)
    this.#isFirstRunOver = all.users.length > 0
    const { digest: adminTokenDigest } = options.adminToken
    publish({ ...all, users: all.users.map(userRecord), adminTokenDigest })
    store.others?.onChange(() => void this.#exclusive(async () => undefined))
  }

  createUser(request: NewUser): Promise<UserRecord> {
    return this.#createUser(request, async () => {
      if (!this.#isFirstRunOver) await this.#options.endFirstRun?.()
    })
  }

  /** @param mayStill throws if it is no longer allowed */
  async #createUser(request: NewUser, mayStill: () => void | Promise<void>): Promise<UserRecord> {
    const login = checkLogin(request.login)
    const password = checkNewPassword(request.password, login, 'password')
    this.#refuseExisting(login)
    const passwordHash = await this.#passwords.hash(password)
    return this.#exclusive(async () => {
      await mayStill()
      this.#refuseExisting(login)
      if (this.#table.users().length >= USERS_MAX) {
        throw new ApiError(
          'invalid_parameter',
          `There are already ${USERS_MAX} users, the maximum`,
          {
            param: 'login',
          },
        )
      }
      const now = this.#now()
      const user: UserRow = {
        login,
        ...request.rights,
        createdAt: now,
        passwordChangedAt: now,
        passwordHash,
      }
      await this.#commit({ users: [user] })
      return userRecord(user)
    })
  }

  async checkFirstOwner({ secret }: { secret: string }): Promise<void> {
    this.#checkFirstRun(secret)
  }

  async createFirstOwner(
    request: { secret: string; login: string; password: string } & SessionOrigin,
  ): Promise<StartedSession> {
    this.#checkFirstRun(request.secret)
    const { claimFirstOwner } = this.#options
    const { login } = await this.#createUser(
      { ...request, rights: { role: 'owner' } },
      async () => {
        // Only one of two concurrent requests creates the first user.
        this.#checkFirstRun(request.secret)
        const mayGoOn = await claimFirstOwner?.(normalLogin(request.login))
        if (mayGoOn === false) throw firstRunIsOver()
      },
    )
    await this.#options.endFirstRun?.()
    const user = this.#existing(login)
    return this.#exclusive(() => this.#startSession(user, request, {}, []))
  }

  async changeUser(request: {
    login: string
    rights?: Rights | undefined
    password?: string | undefined
  }): Promise<UserRecord> {
    const login = normalLogin(request.login)
    this.#existing(login)
    const passwordHash =
      request.password === undefined
        ? undefined
        : await this.#passwords.hash(checkNewPassword(request.password, login, 'password'))
    return this.#exclusive(async () => {
      const { role, stores, ...before } = this.#existing(login)
      const user: UserRow = {
        ...before,
        ...(request.rights ?? (stores === undefined ? { role } : { role, stores })),
        ...(passwordHash === undefined ? {} : { passwordHash, passwordChangedAt: this.#now() }),
      }
      await this.#commit({ users: [user], endedSessions: this.#digestsOf(login) })
      return userRecord(user)
    })
  }

  deleteUser(request: { login: string }): Promise<void> {
    const login = normalLogin(request.login)
    return this.#exclusive(async () => {
      this.#existing(login)
      await this.#commit({ removedUsers: [login], endedSessions: this.#digestsOf(login) })
    })
  }

  async logIn(
    request: { login: string; password: string } & SessionOrigin,
  ): Promise<StartedSession> {
    const login = normalLogin(request.login)
    const user = await this.#checkPassword(login, request.password, request)
    const { passwordHash } = user
    const rehashed = isOutdated(passwordHash, this.#cost)
      ? await this.#passwords.hash(request.password)
      : passwordHash
    return this.#exclusive(() =>
      this.#startSession(user, request, { passwordHash: rehashed }, this.#surplusSessions(login)),
    )
  }

  async changePassword(
    request: { login: string; currentPassword: string; newPassword: string } & SessionOrigin,
  ): Promise<StartedSession> {
    const login = normalLogin(request.login)
    const password = checkNewPassword(request.newPassword, login, 'new_password')
    const user = await this.#checkPassword(login, request.currentPassword, request).catch(
      (error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'invalid_credentials') throw error
        throw new ApiError('forbidden', 'The current password is wrong', {
          param: 'current_password',
          cause: error,
        })
      },
    )
    const passwordHash = await this.#passwords.hash(password)
    return this.#exclusive(() =>
      this.#startSession(
        user,
        request,
        { passwordHash, passwordChangedAt: this.#now() },
        this.#digestsOf(login),
      ),
    )
  }

  endSession(request: { login: string; sessionId: string }): Promise<boolean> {
    return this.#exclusive(async () => {
      const sessions = this.#table.sessionsOf(normalLogin(request.login))
      const session = sessions.find((one) => one.sessionId === request.sessionId)
      if (session === undefined) return false
      await this.#commit({ endedSessions: [session.digest] })
      return true
    })
  }

  endSessions(request: { login: string }): Promise<number> {
    return this.#exclusive(async () => {
      const digests = this.#digestsOf(normalLogin(request.login))
      if (digests.length > 0) await this.#commit({ endedSessions: digests })
      return digests.length
    })
  }

  noteSessionUses(uses: readonly SessionUse[]): Promise<void> {
    return this.#exclusive(async () => {
      const sessions = new Map<string, SessionRecord>()
      for (const { digest, atMs } of uses) {
        const session = sessions.get(digest) ?? this.#table.session(digest)
        if (session === undefined || atMs <= session.lastUsedMs) continue
        sessions.set(digest, { ...session, lastUsedMs: atMs })
      }
      if (sessions.size > 0) await this.#commit({ sessions: [...sessions.values()] })
    })
  }

  async noteWrongAdminToken({ address }: { address: string }): Promise<void> {
    const { clock, publish } = this.#options
    for (const slowed of this.#adminLimits.failed(address, clock.now())) publish({ slowed })
  }

  rotateAdminToken(): Promise<string> {
    return this.#exclusive(async () => {
      const { adminToken, publish } = this.#options
      if (adminToken.save === undefined) {
        throw new ApiError(
          'forbidden',
          'The admin token comes from the configuration (AISLE_ADMIN_TOKEN): change it there and restart the service',
        )
      }
      const token = newAdminToken()
      const adminTokenDigest = digestOf(token)
      await adminToken.save(adminTokenDigest)
      publish({ adminTokenDigest })
      return token
    })
  }

  record(entry: NewAuditEntry): Promise<void> {
    return this.#audit.record(entry)
  }

  writeRefusals(): Promise<void> {
    return this.#audit.writeRefusals()
  }

  /**
   * Removes expired sessions and old entries of the audit log. Called at startup and periodically.
   */
  async sweep(): Promise<void> {
    await this.#exclusive(async () => {
      const nowMs = this.#options.clock.now()
      const over = this.#table.sessions().filter((session) => isSessionOver(session, nowMs))
      if (over.length > 0) await this.#commit({ endedSessions: over.map(({ digest }) => digest) })
    })
    await this.#audit.sweep()
  }

  /** Resolves when no change is in progress. */
  async close(): Promise<void> {
    // Ignores the error: the disk has rejected writes before.
    await this.#audit.writeRefusals().catch(() => undefined)
    await this.#last
  }

  #checkFirstRun(secret: string): void {
    const { firstRunDigest } = this.#options
    const isRight =
      firstRunDigest !== undefined &&
      timingSafeEqual(Buffer.from(firstRunDigest), Buffer.from(digestOf(secret)))
    if (isRight && !this.#isFirstRunOver) return
    throw firstRunIsOver()
  }

  /** @returns the user with this password */
  async #checkPassword(login: string, password: string, from: SessionOrigin): Promise<UserRow> {
    const { clock } = this.#options
    const user = this.#table.user(login)
    const device = knownDevice(this.#options.deviceKey, user, from.device)
    const attempt = { login, address: from.address, device }
    this.#limits.begin(attempt, clock.now())
    const isRight = await this.#passwords.matches(user?.passwordHash, password).catch((error) => {
      // It was not checked, so it does not count as wrong.
      this.#limits.succeeded(attempt, clock.now())
      throw error
    })
    if (user === undefined || !isRight) {
      throw new ApiError('invalid_credentials', 'Wrong login or password')
    }
    this.#limits.succeeded(attempt, clock.now())
    return user
  }

  /** @param checked the user when the password was checked @param ended digests */
  async #startSession(
    checked: UserRow,
    { address, userAgent }: SessionOrigin,
    also: Partial<UserRow>,
    ended: readonly string[],
  ): Promise<StartedSession> {
    const { login } = checked
    const current = this.#table.user(login)
    if (current?.passwordHash !== checked.passwordHash) {
      throw new ApiError('invalid_credentials', 'Wrong login or password')
    }
    const secret = newSessionSecret()
    const session = newSession(secret, { login, address, userAgent }, this.#options.clock.now())
    const user: UserRow = { ...current, lastLoginAt: this.#now(), ...also }
    await this.#commit({ users: [user], sessions: [session], endedSessions: ended })
    const device = newDevice(this.#options.deviceKey, user)
    return { secret, session, device, user: userRecord(user) }
  }

  /** Returns the sessions that a new one evicts: the least recently used. */
  #surplusSessions(login: string): string[] {
    const sessions = this.#table.sessionsOf(login)
    return sessions
      .toSorted((a, b) => a.lastUsedMs - b.lastUsedMs)
      .slice(0, Math.max(0, sessions.length + 1 - SESSIONS_PER_USER_MAX))
      .map(({ digest }) => digest)
  }

  #digestsOf(login: string): string[] {
    return this.#table.sessionsOf(login).map(({ digest }) => digest)
  }

  async #commit(change: AccessChange<UserRow>): Promise<void> {
    await this.#options.store.commit(change)
    this.#apply(change)
  }

  #apply(change: AccessChange<UserRow>): void {
    this.#table.apply(change)
    const { users = [] } = change
    this.#isFirstRunOver ||= users.length > 0
    this.#options.publish({ ...change, users: users.map(userRecord) })
  }

  #exclusive<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#decide(run))
    this.#last = done.catch(() => undefined)
    return done
  }

  /** Runs a decision on the newest known state, and repeats it if another node was quicker. */
  async #decide<T>(run: () => Promise<T>): Promise<T> {
    const { others } = this.#options.store
    for (let attempt = 1; ; attempt++) {
      const theirs = others?.catchUp()
      if (theirs !== undefined) this.#apply(theirs)
      try {
        return await run()
      } catch (error) {
        if (!(error instanceof StaleAccessError)) throw error
        if (attempt === DECISIONS_MAX) {
          throw new ApiError(
            'unavailable',
            'The change conflicts with changes on other nodes: try again',
            {
              retryAfterSeconds: 1,
              cause: error,
            },
          )
        }
      }
    }
  }

  #refuseExisting(login: string): void {
    if (this.#table.user(login) === undefined) return
    throw new ApiError('user_exists', 'A user with this login already exists', { param: 'login' })
  }

  #existing(login: string): UserRow {
    const user = this.#table.user(login)
    if (user !== undefined) return user
    throw new ApiError('user_not_found', 'There is no user with this login', { param: 'login' })
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString()
  }
}

function firstRunIsOver(): ApiError {
  return new ApiError(
    'invalid_credentials',
    'The link is no longer valid: log in, or ask an owner for an account. Without any account, restart the service, which prints a new link, or run `aisle user create` with the admin token',
  )
}
