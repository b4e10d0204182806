import type { Rights } from './roles.ts'

/** A user as every thread knows it. */
export interface UserRecord extends Rights {
  /** The login in canonical form. */
  readonly login: string
  readonly createdAt: string
  readonly passwordChangedAt: string
  readonly lastLoginAt?: string
}

/** A user as stored. */
export interface UserRow extends UserRecord {
  readonly passwordHash: string
}

export interface SessionRecord {
  /** SHA-256 of the secret in the cookie, 64 hex digits. The secret itself is not stored. */
  readonly digest: string
  /** Identifies the session, but grants nothing. */
  readonly sessionId: string
  readonly login: string
  readonly createdMs: number
  /** Precise to the minute. */
  readonly lastUsedMs: number
  readonly address: string
  readonly userAgent: string
}

/** Changes that take effect together, all or none. */
export interface AccessChange<User extends UserRecord = UserRecord> {
  readonly users?: readonly User[]
  /** Logins of removed users; their sessions must be listed in `endedSessions`. */
  readonly removedUsers?: readonly string[]
  readonly sessions?: readonly SessionRecord[]
  /** Digests of ended sessions. */
  readonly endedSessions?: readonly string[]
  /** SHA-256 of the admin token that is valid from now on, 64 hex digits. */
  readonly adminTokenDigest?: string
  /** A network, or all networks, sent too many wrong admin tokens. */
  readonly slowed?: SlowedGuesses
}

export interface SlowedGuesses {
  /** The network they came from; undefined for all networks together. */
  readonly network?: string
  /** Milliseconds since 1970; until then, further wrong ones are not counted or recorded. */
  readonly untilMs: number
}

/** Maximum number of slowed networks; one more evicts the first. */
const SLOWED_MAX = 10_000

/** Users and sessions in memory, by the keys that requests carry. */
export class AccessTable<User extends UserRecord = UserRecord> {
  readonly #users = new Map<string, User>()
  readonly #sessions = new Map<string, SessionRecord>()
  readonly #sessionsByLogin = new Map<string, Map<string, SessionRecord>>()
  readonly #slowed = new Map<string, number>()
  #allSlowedUntilMs = 0
  #adminTokenDigest = ''

  user(login: string): User | undefined {
    return this.#users.get(login)
  }

  /** Ordered by login. */
  users(): User[] {
    return [...this.#users.values()].toSorted((a, b) => (a.login < b.login ? -1 : 1))
  }

  session(digest: string): SessionRecord | undefined {
    return this.#sessions.get(digest)
  }

  sessions(): SessionRecord[] {
    return [...this.#sessions.values()]
  }

  /** Oldest first. */
  sessionsOf(login: string): SessionRecord[] {
    const sessions = [...(this.#sessionsByLogin.get(login)?.values() ?? [])]
    return sessions.toSorted((a, b) => a.createdMs - b.createdMs)
  }

  /** Empty until it is known; then no token is valid. */
  adminTokenDigest(): string {
    return this.#adminTokenDigest
  }

  /** Milliseconds since 1970; until then, wrong admin tokens from the network get 429. */
  slowedUntilMs(network: string): number {
    return Math.max(this.#allSlowedUntilMs, this.#slowed.get(network) ?? 0)
  }

  apply(change: AccessChange<User>): void {
    this.#adminTokenDigest = change.adminTokenDigest ?? this.#adminTokenDigest
    if (change.slowed !== undefined) this.#slow(change.slowed)
    for (const login of change.removedUsers ?? []) this.#users.delete(login)
    for (const user of change.users ?? []) this.#users.set(user.login, user)
    for (const digest of change.endedSessions ?? []) this.#end(digest)
    for (const session of change.sessions ?? []) {
      this.#sessions.set(session.digest, session)
      const ofUser = this.#sessionsByLogin.get(session.login) ?? new Map<string, SessionRecord>()
      this.#sessionsByLogin.set(session.login, ofUser.set(session.digest, session))
    }
  }

  #slow({ network, untilMs }: SlowedGuesses): void {
    if (network === undefined) {
      this.#allSlowedUntilMs = untilMs
      return
    }
    this.#slowed.delete(network)
    this.#slowed.set(network, untilMs)
    if (this.#slowed.size <= SLOWED_MAX) return
    for (const first of this.#slowed.keys()) {
      this.#slowed.delete(first)
      break
    }
  }

  #end(digest: string): void {
    const session = this.#sessions.get(digest)
    if (session === undefined) return
    this.#sessions.delete(digest)
    const ofUser = this.#sessionsByLogin.get(session.login)
    ofUser?.delete(digest)
    if (ofUser?.size === 0) this.#sessionsByLogin.delete(session.login)
  }
}

/** Removes the fields that only the writer needs. */
export function userRecord({ passwordHash: _, ...record }: UserRow): UserRecord {
  return record
}
