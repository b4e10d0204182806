import type { Role } from '@aisle/contract'
import type { SessionRecord, UserRecord } from '../../domain/access/access-table.ts'
import type { NewAuditEntry } from '../../domain/access/audit.ts'

export type { NewAuditEntry, SessionRecord, UserRecord }

/**
 * Everything that changes who may do what, and the log of who did what. Each promise resolves when
 * the change is durable and every serving thread's next request obeys it, and rejects with ApiError
 * when nothing was changed. Any login is taken in any case; answers have its normal form.
 */
export interface AccessKeeper {
  /** Throws `user_exists`, `invalid_parameter`. */
  createUser(request: {
    readonly login: string
    readonly role: Role
    readonly password: string
  }): Promise<UserRecord>
  /**
   * Creates the first user, an owner, with the secret of the link that is printed at the start, and
   * begins a session. Throws `invalid_credentials` when the secret is another one or there is a
   * user already, and `invalid_parameter`.
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
    readonly role?: Role | undefined
    readonly password?: string | undefined
  }): Promise<UserRecord>
  /** With the sessions. Throws `user_not_found`. */
  deleteUser(request: { readonly login: string }): Promise<void>
  /**
   * Begins a session. Takes the same time whether the user is unknown or the password wrong.
   * Throws `invalid_credentials`, `rate_limited`, and `unavailable` when too many wait.
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
  /** @returns false when the user has no such session */
  endSession(request: { readonly login: string; readonly sessionId: string }): Promise<boolean>
  /** @returns sessions ended */
  endSessions(request: { readonly login: string }): Promise<number>
  /** Records the last use of sessions; ended ones are ignored. */
  noteSessionUses(uses: readonly SessionUse[]): Promise<void>
  /**
   * Counts a wrong admin token. After some from one network, or many from all networks, further
   * wrong ones are 429 for a while. The right one is never refused.
   */
  noteWrongAdminToken(request: { readonly address: string }): Promise<void>
  /**
   * Makes a new admin token; the previous one is no longer valid. Throws `forbidden` when the
   * token comes from the configuration.
   *
   * @returns the token, which is not kept
   */
  rotateAdminToken(): Promise<string>
  /**
   * Adds to the audit log. What was refused is not durable yet when this resolves, and refusals of
   * a minute that are alike become one entry with a count.
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
  /** For the cookie; nowhere else. */
  readonly secret: string
  /** Also for a cookie: it identifies the browser at its next login. */
  readonly device: string
  readonly session: SessionRecord
  readonly user: UserRecord
}

export interface SessionUse {
  readonly digest: string
  /** Milliseconds since 1970. */
  readonly atMs: number
}
