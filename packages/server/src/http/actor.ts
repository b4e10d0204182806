import type { ChangedBy, TokenScope } from '@aisle/contract'
import type { FastifyRequest } from 'fastify'
import type { SessionRecord } from '../domain/access/access-table.ts'
import type { Rights } from '../domain/access/roles.ts'

/** The sender of a request, once authenticated. */
export type Actor =
  | { readonly kind: 'admin_token' }
  | {
      readonly kind: 'store_key'
      /** SHA-256 of the secret that was used, 64 hex digits. */
      readonly digest: string
      /** It is a write secret. */
      readonly mayWrite: boolean
    }
  | {
      readonly kind: 'user'
      readonly login: string
      readonly rights: Rights
      readonly session: SessionRecord
      /** Secret of the session, as in the cookie. */
      readonly secret: string
    }

/** The subject of a request for the audit log, as far as the path does not name it. */
export interface AuditSubject {
  readonly storeId?: string
  readonly target?: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The store that the request may access, by its key or named with a session; empty on routes
     * without a store.
     */
    storeId: string
    /** Absent until the request is authenticated. */
    actor: Actor | null
    /** The restrictions of a scoped token on the request; null without one. */
    scope: TokenScope | null
    auditSubject: AuditSubject | null
    /** The request came with a wrong admin token. */
    hasWrongAdminToken: boolean
    /** Code of the error in the response; empty if there was none. */
    failureCode: string
    /** Code of what made the service fail, for its log; empty if it did not. */
    failureCause: string
  }
}

/** The user, on a route that only sessions may use. */
export function userOf({ actor }: FastifyRequest): Actor & { kind: 'user' } {
  if (actor?.kind === 'user') return actor
  throw new Error('Only routes of the class "session" have a user for sure')
}

/** The author of a change, for histories. */
export function changedBy({ actor }: FastifyRequest): ChangedBy | undefined {
  if (actor === null) return undefined
  return actor.kind === 'user' ? { actor: 'user', login: actor.login } : { actor: actor.kind }
}
