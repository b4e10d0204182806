import type { ChangedBy, Role } from '@aisle/contract'
import type { FastifyRequest } from 'fastify'
import type { SessionRecord } from '../domain/access/access-table.ts'

/** Who asks, once it is known. */
export type Actor =
  | { readonly kind: 'admin_token' }
  | {
      readonly kind: 'store_key'
      /** Of the secret that opened: SHA-256, 64 hex digits. */
      readonly digest: string
    }
  | {
      readonly kind: 'user'
      readonly login: string
      readonly role: Role
      readonly session: SessionRecord
      /** Of the session: what the cookie carries. */
      readonly secret: string
    }

/** What the audit log says that a request was about, as far as its path does not. */
export interface AuditSubject {
  readonly storeId?: string
  readonly target?: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The store whose key opened this request, or that a session named; empty on routes that need
     * none.
     */
    storeId: string
    /** Absent until somebody was let in. */
    actor: Actor | null
    auditSubject: AuditSubject | null
    /** It came with an admin token, and that was not the one. */
    hasWrongAdminToken: boolean
    /** Code of the error that was answered; empty when there was none. */
    failureCode: string
  }
}

/** The user of a route that only sessions open. */
export function userOf({ actor }: FastifyRequest): Actor & { kind: 'user' } {
  if (actor?.kind === 'user') return actor
  throw new Error('Only routes of the class "session" have a user for sure')
}

/** Who asks, as histories tell it. */
export function changedBy({ actor }: FastifyRequest): ChangedBy | undefined {
  if (actor === null) return undefined
  return actor.kind === 'user' ? { actor: 'user', login: actor.login } : { actor: actor.kind }
}
