import type { StoreKeys } from '@aisle/testing'

/** A request that a thread can send: plain data. */
export interface AttackRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Attack {
  readonly name: string
  /** Sent in turn, by each connection from another one on. */
  readonly requests: readonly AttackRequest[]
  /** Default: 4. */
  readonly connections?: number
  /** Answers that never end: each connection asks once and reads. */
  readonly endless?: true
}

/** What a request can ask of a store that was set up to make it heavy. */
export interface HeavyAttack extends Attack {
  /** Sent before the neighbour is measured, one after the other; all must succeed. */
  readonly setUp?: readonly AttackRequest[]
  /** Sent when it is over, whatever it answers. */
  readonly tidyUp?: readonly AttackRequest[]
}

/** The store that attacks, with everything that opens its routes. */
export interface Attacker extends StoreKeys {
  readonly adminToken: string
  readonly eventsWriteKey: string
}

const JSON_BODY = { 'content-type': 'application/json' }

/** Sends every secret: the route takes the one that it needs. */
export function ask(
  attacker: Attacker,
  method: AttackRequest['method'],
  path: string,
  body?: unknown,
): AttackRequest {
  const isAdmin = path.startsWith('/api/v1/admin/')
  const headers: Record<string, string> = isAdmin
    ? { authorization: `Bearer ${attacker.adminToken}` }
    : {
        'x-storeid': attacker.storeId,
        'x-storesecret': attacker.readSecret,
        'x-store-write-secret': attacker.writeSecret,
      }
  if (body === undefined) return { method, path, headers }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method, path, headers: { ...headers, ...JSON_BODY }, body: text }
}
