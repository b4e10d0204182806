import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ActiveKey } from '../../domain/access/store-keys.ts'
import type { ServicePorts } from '../service-ports.ts'
import { currentSettings } from './store-settings.ts'
import type { UseNotes } from '../access/use-notes.ts'

const SIGNATURE = /^[0-9a-f]{64}$/i
/** The current secret and the previous one. */
const SECRETS_MAX = 2

/**
 * Whether a user id is accepted. In a store with `identity: signed` it needs a signature from the
 * shop's own server: the read secret is in every page, so it does not prove who makes a request.
 */
export class SignedUsers {
  readonly #ports: Pick<ServicePorts, 'registry' | 'resources' | 'clock'>
  readonly #uses: Pick<UseNotes, 'noteKey'>

  constructor(
    ports: Pick<ServicePorts, 'registry' | 'resources' | 'clock'>,
    uses: Pick<UseNotes, 'noteKey'>,
  ) {
    this.#ports = ports
    this.#uses = uses
  }

  isRequired(storeId: string): boolean {
    return currentSettings(this.#ports.resources.of(storeId)).settings.identity === 'signed'
  }

  /** @param signature HMAC-SHA-256 of the id (UTF-8), keyed with the signing secret, in hex */
  counts(storeId: string, userId: string, signature: string): boolean {
    if (!this.isRequired(storeId)) return true
    const nowMs = this.#ports.clock.now()
    const keys = this.#ports.registry.find(storeId)?.keys.signing ?? []
    const key = signingKey(keys, userId, signature, nowMs)
    if (key === undefined) return false
    this.#uses.noteKey(storeId, key, nowMs)
    return true
  }
}

function signingKey(
  keys: readonly ActiveKey[],
  userId: string,
  signature: string,
  nowMs: number,
): ActiveKey | undefined {
  const given = SIGNATURE.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(32)
  let match: ActiveKey | undefined
  for (const key of keys.slice(0, SECRETS_MAX)) {
    const { secret, validUntilMs = Infinity } = key
    if (secret === undefined) continue
    const expected = createHmac('sha256', secret).update(userId).digest()
    if (timingSafeEqual(expected, given) && nowMs < validUntilMs) match = key
  }
  return match
}
