import {
  CACHE_MAX_BYTES_DEFAULT,
  CACHE_TTL_DEFAULT_SECONDS,
  type SearchParameters,
} from '@aisle/contract'
import { questionKey } from '../../domain/plan/question-key.ts'
import type { Question } from '../../ports/search/answer-cache.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { currentSettings } from '../store/store-settings.ts'
import { withRanking } from './plan-context.ts'

/** Everything that affects a response besides the state of the store. */
export interface Asked {
  /** The request with the parameters of its preset. */
  readonly request: SearchParameters
  /** Whether the request itself, not its preset, sets the parameters that rules may also set. */
  readonly own: readonly boolean[]
  /** Ids of the rules that apply; some depend on the time of day. */
  readonly appliedRules: readonly string[]
  /** The values of `now` in the expressions of the request and the rules. */
  readonly movingDates: readonly string[]
  /** The version of popularity that affects the order; empty if none does. */
  readonly popularity: string
  /** The experiment and its arm, if one answers. */
  readonly arm?: string
}

/**
 * The key under which a response may be cached; undefined if the store does not use the cache.
 */
export function questionOf(
  { clock }: Pick<ServicePorts, 'clock'>,
  storeId: string,
  view: SearchView,
  { request, own, appliedRules, movingDates, popularity, arm = '' }: Asked,
): Question | undefined {
  const { version, resources, scope, schema } = view
  const { cache = {} } = currentSettings(resources).settings
  const bytesMax = cache.max_bytes ?? CACHE_MAX_BYTES_DEFAULT
  if (bytesMax === 0) return undefined
  return {
    storeId,
    key: keyOf(view, request, {
      own,
      popularity,
      arm,
      scope: scope ?? '',
      movingDates,
      appliedRules,
      resources,
      schema,
    }),
    version,
    nowMs: clock.now(),
    ttlMs: (cache.ttl_seconds ?? CACHE_TTL_DEFAULT_SECONDS) * 1_000,
    bytesMax,
  }
}

/** A request that is read once (`readSearch`) has the same key until something else changes. */
const keys = new WeakMap<object, { readonly besides: Besides; readonly key: string }>()

type Besides = Omit<Asked, 'request'> &
  Pick<SearchView, 'resources' | 'schema'> & { readonly scope: string }

function keyOf(view: SearchView, request: SearchParameters, besides: Besides): string {
  const known = keys.get(request)
  if (known !== undefined && isSame(known.besides, besides)) return known.key
  const { own, popularity, arm = '', scope, movingDates, appliedRules } = besides
  const texts = [own.join(), popularity, arm, scope, movingDates.join(), ...appliedRules]
  // The settings of the store apply to absent parameters.
  const key = questionKey(withRanking(view, request), texts)
  keys.set(request, { besides, key })
  return key
}

function isSame(a: Besides, b: Besides): boolean {
  return (
    a.resources === b.resources &&
    a.schema === b.schema &&
    a.popularity === b.popularity &&
    a.arm === b.arm &&
    a.scope === b.scope &&
    isEqual(a.own, b.own) &&
    isEqual(a.movingDates, b.movingDates) &&
    isEqual(a.appliedRules, b.appliedRules)
  )
}

function isEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
