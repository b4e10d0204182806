import type { SessionRecord, UserRecord } from '../../domain/access/access-table.ts'
import type { NewAuditEntry } from '../../domain/access/audit.ts'
import type { Rights } from '../../domain/access/roles.ts'

export type { NewAuditEntry, Rights, SessionRecord, UserRecord }

/**
 * Makes all changes to users, sessions and the audit log. Each promise resolves when the change is
 * durable and the next request of every serving thread sees it, and rejects with ApiError if
 * nothing was changed. Logins are case-insensitive; answers contain their normal form.
 */
export interface AccessKeeper {
  /** Throws `user_exists`, `invalid_parameter`. */
  createUser(request: {
    readonly login: string
    readonly rights: Rights
    readonly password: string
  }): Promise<UserRecord>
  /**
   * Throws `invalid_credentials` if `createFirstOwner` would refuse this secret: it is wrong, was
   * used, or a user exists or existed since the start.
   */
  checkFirstOwner(request: { readonly secret: string }): Promise<void>
  /**
   * Creates the first user, an owner, with the secret of the link that is printed at startup, and
   * begins a session. Throws what `checkFirstOwner` throws, and `invalid_parameter`.
   */
  createFirstOwner(
    request: {
      readonly secret: string
      readonly login: string
      readonly password: string
    } & SessionOrigin,
  ): Promise<StartedSession>
  /** Ends the user's sessions. Throws `user_not_found`, `invalid_parameter`. */
  changeUser(request: {
    readonly login: string
    readonly rights?: Rights | undefined
    readonly password?: string | undefined
  }): Promise<UserRecord>
  /** Deletes a user and their sessions. Throws `user_not_found`. */
  deleteUser(request: { readonly login: string }): Promise<void>
  /**
   * Begins a session. Takes the same time whether the user is unknown or the password wrong.
   * Throws `invalid_credentials`, `rate_limited`, and `unavailable` if too many logins are waiting.
   */
  logIn(
    request: { readonly login: string; readonly password: string } & SessionOrigin,
  ): Promise<StartedSession>
  /**
   * Ends all sessions of the user and begins a new one.
   * Throws what `logIn` throws; `forbidden` for a wrong current password.
   */
  changePassword(
    request: {
      readonly login: string
      readonly currentPassword: string
      readonly newPassword: string
    } & SessionOrigin,
  ): Promise<StartedSession>
  /** @returns false if the user has no such session */
  endSession(request: { readonly login: string; readonly sessionId: string }): Promise<boolean>
  /** @returns the number of ended sessions */
  endSessions(request: { readonly login: string }): Promise<number>
  /** Records the last use of sessions; ended ones are ignored. */
  noteSessionUses(uses: readonly SessionUse[]): Promise<void>
  /**
   * Counts a wrong admin token. After some from one network, or many from all networks, further
   * wrong ones get 429 for a while. The right one is never rejected.
   */
  noteWrongAdminToken(request: { readonly address: string }): Promise<void>
  /**
   * Generates a new admin token; the previous one is no longer valid. Throws `forbidden` if the
   * token comes from the configuration.
   *
   * @returns the token, of which only a digest is stored
   */
  rotateAdminToken(): Promise<string>
  /**
   * Adds to the audit log. Refusals are not durable yet when this resolves; similar refusals within
   * a minute become one entry with a count.
   */
  record(entry: NewAuditEntry): Promise<void>
  /** Resolves when every refusal so far is readable. */
  writeRefusals(): Promise<void>
}

export interface SessionOrigin {
  readonly address: string
  readonly userAgent: string
  /** The device mark of an earlier login (domain/access/known-device.ts). */
  readonly device?: string | undefined
}

export interface StartedSession {
  /** Only for the cookie. */
  readonly secret: string
  /** Value of a second cookie, which identifies the browser at its next login. */
  readonly device: string
  readonly session: SessionRecord
  readonly user: UserRecord
}

export interface SessionUse {
  readonly digest: string
  /** Milliseconds since 1970. */
  readonly atMs: number
}
