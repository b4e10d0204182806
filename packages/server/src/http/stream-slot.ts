import { ApiError, STREAMS_PER_STORE_MAX } from '@aisle/contract'
import type { StreamKind } from '../ports/host/stream-slots.ts'
import type { AppDependencies } from './dependencies.ts'
import { PATIENCE } from './plugins/patience.ts'

const NAMES: Readonly<Record<StreamKind, string>> = { tail: 'live tails', export: 'exports' }
const RETRY_SECONDS = 5

/**
 * Reserves a place for a stream of a store, for a limited time.
 *
 * @param onOver called when the time is up, unless the place was returned
 * @returns returns the place
 * @throws ApiError rate_limited
 */
export function takeStreamSlot(
  { slots, options }: Pick<AppDependencies, 'slots' | 'options'>,
  kind: StreamKind,
  storeId: string,
  onOver: () => void,
): () => void {
  const free = slots === undefined ? () => undefined : slots.take(kind, storeId)
  if (free === undefined) {
    throw new ApiError(
      'rate_limited',
      `The store already has ${STREAMS_PER_STORE_MAX} ${NAMES[kind]}: close one, or wait`,
      { retryAfterSeconds: RETRY_SECONDS },
    )
  }
  const timer = setTimeout(onOver, options.patience?.streamMs ?? PATIENCE.streamMs).unref()
  return () => {
    clearTimeout(timer)
    free()
  }
}
