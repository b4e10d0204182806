import {
  CACHE_MAX_BYTES_DEFAULT,
  CACHE_TTL_DEFAULT_SECONDS,
  type SearchParameters,
} from '@aisle/contract'
import { questionKey } from '../../domain/plan/question-key.ts'
import type { Question } from '../../ports/answer-cache.ts'
import type { SearchView } from '../../ports/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { currentSettings } from '../store/store-settings.ts'

/** What decides an answer besides the state of the store. */
export interface Asked {
  /** With the parameters of its preset. */
  readonly request: SearchParameters
  /** For what rules may say too: whether the request itself says it, not its preset. */
  readonly own: readonly boolean[]
  /** Ids of the rules that apply, of which some come and go with the time of day. */
  readonly appliedRules: readonly string[]
  /** The version of it that decides the order; empty when none does. */
  readonly popularity: string
}

/**
 * Under what an answer may be kept, and looked for; undefined when the request does not ask for
 * that, or the store keeps none.
 */
export function questionOf(
  { clock }: Pick<ServicePorts, 'clock'>,
  storeId: string,
  { version, resources }: SearchView,
  { request, own, appliedRules, popularity }: Asked,
): Question | undefined {
  if (request.cache_results !== true) return undefined
  const { cache = {} } = currentSettings(resources).settings
  const bytesMax = cache.max_bytes ?? CACHE_MAX_BYTES_DEFAULT
  if (bytesMax === 0) return undefined
  return {
    storeId,
    key: questionKey(request, [own.join(), popularity, ...appliedRules]),
    version,
    nowMs: clock.now(),
    ttlMs: (cache.ttl_seconds ?? CACHE_TTL_DEFAULT_SECONDS) * 1_000,
    bytesMax,
  }
}
