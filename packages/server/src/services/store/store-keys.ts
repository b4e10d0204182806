import {
  ApiError,
  KEY_GRACE_DEFAULT_SECONDS,
  KEY_KINDS,
  type RevokedKey,
  type RotatedKey,
  type StoreKey,
  type StoreKeys,
} from '@aisle/contract'
import type { ActiveKey, KeyKind } from '../../domain/access/store-keys.ts'
import type { ServicePorts } from '../service-ports.ts'
import { existingStore } from './stores.ts'

/**
 * The keys of a store, with the times of their creation and last use. The read secret and the
 * events key are public by design and shown again; the write secret and the signing secret are not.
 * A store may have no signing secret.
 *
 * @throws ApiError store_not_found
 */
export function describeKeys(
  { registry, clock }: Pick<ServicePorts, 'registry' | 'clock'>,
  storeId: string,
): StoreKeys {
  const { keys, readSecret, eventsWriteKey } = existingStore(registry, storeId)
  const secrets = {
    read: readSecret,
    write: undefined,
    events: eventsWriteKey,
    signing: undefined,
  }
  return {
    keys: KEY_KINDS.flatMap((kind) => {
      const ofKind = keys[kind]
      return ofKind === undefined ? [] : [presentKey(kind, ofKind, secrets[kind], clock.now())]
    }),
  }
}

/** @throws ApiError store_not_found, invalid_parameter */
export async function rotateKey(
  { registry, writer }: Pick<ServicePorts, 'registry' | 'writer'>,
  storeId: string,
  kind: string,
  graceSeconds: number = KEY_GRACE_DEFAULT_SECONDS,
): Promise<RotatedKey> {
  existingStore(registry, storeId)
  const rotated = await writer.rotateKey(storeId, checkKind(kind), graceSeconds)
  return { secret: rotated.secret, previous_valid_until: rotated.previousValidUntil }
}

/**
 * Ends the grace period of a replaced key now.
 * @throws ApiError store_not_found, invalid_parameter
 */
export async function revokePreviousKey(
  { registry, writer }: Pick<ServicePorts, 'registry' | 'writer'>,
  storeId: string,
  kind: string,
): Promise<RevokedKey> {
  existingStore(registry, storeId)
  const known = checkKind(kind)
  const isDone = await writer.revokePreviousKey(storeId, known)
  return { kind: known, status: 'revoked', revoked: isDone ? 1 : 0 }
}

function checkKind(kind: string): KeyKind {
  const known = KEY_KINDS.find((one) => one === kind)
  if (known !== undefined) return known
  throw new ApiError(
    'invalid_parameter',
    'The key kind must be `read`, `write`, `events` or `signing`',
    {
      param: 'kind',
    },
  )
}

function presentKey(
  kind: KeyKind,
  keys: readonly ActiveKey[],
  secret: string | undefined,
  nowMs: number,
): StoreKey {
  const current = keys.find((key) => key.validUntilMs === undefined)
  const previous = keys.find((key) => (key.validUntilMs ?? 0) > nowMs)
  return {
    kind,
    ...(secret === undefined ? {} : { secret }),
    ...presentUse(current),
    ...(previous?.validUntilMs === undefined
      ? {}
      : { previous: { valid_until: isoTime(previous.validUntilMs), ...presentUse(previous) } }),
  }
}

function presentUse({ createdMs, lastUsedMs }: Partial<ActiveKey> = {}): Pick<
  StoreKey,
  'created_at' | 'last_used_at'
> {
  return {
    ...(createdMs === undefined ? {} : { created_at: isoTime(createdMs) }),
    ...(lastUsedMs === undefined ? {} : { last_used_at: isoTime(lastUsedMs) }),
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
