import { CREATION_LIMIT_MS } from './cluster-connection.ts'
import type { ClusterConnection } from './cluster-connection.ts'
import { ClusterError } from './cluster-error.ts'
import { SLOT_COUNTS, slotName } from './field-slots.ts'

/** Layers of joined tokens: several may stand at one position. Further ones stand at none. */
export const JOINED_LAYERS = 3

/** A term, and which documents have it. */
const TERM = { type: 'keyword', doc_values: false } as const
/**
 * Any number of terms, with spaces between them. The same as `TERM` to a query: but a list of
 * keywords costs the cluster a separate field for each of its terms, and a further term that says
 * that there is such a field.
 */
const TERMS = {
  type: 'text',
  analyzer: 'whitespace',
  norms: false,
  index_options: 'docs',
} as const
/** Terms that can be listed too. */
const LISTED_TERM = { type: 'keyword' } as const
/** Kept, and looked at by nobody. */
const KEPT = { type: 'keyword', index: false, doc_values: false } as const
/** Terms in a row, one after the other; between two values of an array many places are free. */
const ROW = {
  type: 'text',
  analyzer: 'whitespace',
  norms: false,
  index_options: 'positions',
  position_increment_gap: 4096,
} as const

function slots(
  of: Parameters<typeof slotName>[0],
  count: number,
  mapping: object,
): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, slot) => [slotName(of, slot), mapping]),
  )
}

/** What indices that were made before there were geopoints lack. */
const PLACES = {
  ...slots('place', SLOT_COUNTS.place, { type: 'geo_point' }),
  // 1 where there is a place: an order by distance has no defined position for those without.
  ...slots('placed', SLOT_COUNTS.place, { type: 'integer', index: false }),
}

/**
 * The elements of `object[]` fields, each a separate document beside its product. What indices
 * that were made before there were such fields lack.
 */
const ELEMENTS = {
  elements: {
    type: 'nested',
    dynamic: 'strict',
    properties: {
      of: TERM,
      present: TERMS,
      joined: TERMS,
      ...rows('row'),
      ...slots('folded', SLOT_COUNTS.text, TERM),
      ...slots('long', SLOT_COUNTS.long, { type: 'long', coerce: false, doc_values: false }),
      ...slots('double', SLOT_COUNTS.double, { type: 'double', coerce: false, doc_values: false }),
      ...slots('place', SLOT_COUNTS.place, { type: 'geo_point' }),
    },
  },
} as const

/**
 * The words of a document as bytes, for the order of the best. What indices that were made before
 * they were kept lack. By document, so that those of 200 are read quickly; never looked up.
 */
const TOKENS = { tokens: { type: 'binary', doc_values: true } } as const

/** One mapping for every schema. docs/cluster-index.md says what each field is for. */
const PRODUCT_MAPPING = {
  dynamic: 'strict',
  // Everything else can be made of these.
  _source: { includes: ['scope', 'id', 'key', 'json', 'operation', 'writtenMs'] },
  properties: {
    scope: LISTED_TERM,
    id: TERM,
    key: { type: 'long' },
    json: KEPT,
    bytes: { type: 'integer', index: false },
    writtenMs: { type: 'long', index: false },
    operation: KEPT,
    present: TERMS,
    words: LISTED_TERM,
    groups: TERMS,
    titleWords: LISTED_TERM,
    joined: TERMS,
    impacts: TERMS,
    exact: TERMS,
    ...rows('row'),
    ...rows('stemRow'),
    ...slots('length', SLOT_COUNTS.length, { type: 'integer', index: false }),
    ...slots('raw', SLOT_COUNTS.text, { type: 'keyword', index: false }),
    ...slots('folded', SLOT_COUNTS.text, { type: 'keyword' }),
    ...slots('long', SLOT_COUNTS.long, { type: 'long', coerce: false }),
    ...slots('double', SLOT_COUNTS.double, { type: 'double', coerce: false }),
    ...PLACES,
    ...ELEMENTS,
    ...TOKENS,
  },
} as const

/** Plain tokens are in `row0` and `stemRow0`, joined ones in those above, at their places. */
function rows(name: 'row' | 'stemRow'): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: JOINED_LAYERS + 1 }, (_, layer) => [`${name}${layer}`, ROW]),
  )
}

/** A search looks all of its terms up in each segment: fewer and larger ones. */
const MERGES = {
  'merge.policy.floor_segment': '32mb',
  'merge.policy.segments_per_tier': 6,
} as const

/** Shards of a pool, which many small stores share: each store is in one of them. */
const POOL_SHARDS = 8

export interface ProductIndexOptions {
  readonly shards: number
  /** Whether each request must name the store, so that all of a store is in one shard. */
  readonly isPool: boolean
}

/**
 * Of the mapping and the terms, in the names of pools. Documents of another version are not found
 * by the searches of this one.
 */
const VERSION = 2

/** The index that small stores share. */
export function poolName(prefix: string, number: number, version = VERSION): string {
  return `${prefix}-pool-${String(number).padStart(2, '0')}-v${version}`
}

/** The index of one large store, for one scope. */
export function ownIndexName(prefix: string, storeId: string, scope: string): string {
  // Names of indices have no capitals; the scope makes it unique in any case.
  return `${prefix}-store-${storeId.toLowerCase()}-${scope}`
}

/**
 * Makes the pool when it is not there; several nodes may do so at the same time. All indices of
 * products get the slots that they lack: adding fields to a mapping touches no document.
 *
 * @throws ClusterError unfit: there are documents of an older version
 */
export async function openPool(cluster: ClusterConnection, prefix: string): Promise<void> {
  await refuseOlder(cluster, prefix)
  const pool = { shards: POOL_SHARDS, isPool: true }
  await createProductIndex(cluster, poolName(prefix, 0), pool)
  await addLaterFields(cluster, [`${prefix}-pool-*`, `${prefix}-store-*`])
}

/** Gives indices the fields that they lack when a node of an older version has made them. */
export async function addLaterFields(
  cluster: ClusterConnection,
  indices: readonly string[],
): Promise<void> {
  await cluster.request({
    method: 'PUT',
    path: `/${indices.join(',')}/_mapping?allow_no_indices=true&ignore_unavailable=true`,
    body: { properties: { ...PLACES, ...ELEMENTS, ...TOKENS } },
  })
}

/** The version before has made a pool as soon as it was started. */
async function refuseOlder(cluster: ClusterConnection, prefix: string): Promise<void> {
  const older = poolName(prefix, 0, VERSION - 1)
  // Lists of indices would take a right on the whole cluster.
  const path = `/${older}?ignore_unavailable=true`
  const there = (await cluster.request({ method: 'GET', path, repeatable: true })) as object
  if (Object.keys(there).length === 0) return
  throw new ClusterError(
    'unfit',
    `Cannot use this cluster: "${older}" has documents of an earlier version. Make a snapshot of them by "aisle cluster export" of that version, delete the indices "${prefix}-*", and bring it back by "aisle cluster import" of this one`,
  )
}

/** Makes an index of products when it is not there. */
export async function createProductIndex(
  cluster: ClusterConnection,
  name: string,
  { shards, isPool }: ProductIndexOptions,
): Promise<void> {
  const settings = {
    number_of_shards: shards,
    // One copy wherever there is a second node.
    auto_expand_replicas: '0-1',
    // With segment replication a refresh says nothing about the replicas.
    'replication.type': 'DOCUMENT',
    'translog.durability': 'request',
    // Each write refreshes. What is left over, as of a write that was cut off, becomes
    // visible too; more often would be further segments for every write that goes on for long.
    refresh_interval: '10s',
    ...MERGES,
    max_result_window: 100_000,
  }
  const mappings = isPool ? { ...PRODUCT_MAPPING, _routing: { required: true } } : PRODUCT_MAPPING
  try {
    await cluster.request({
      method: 'PUT',
      path: `/${name}?wait_for_active_shards=1`,
      body: { settings: { index: settings }, mappings },
      limitMs: CREATION_LIMIT_MS,
    })
  } catch (error) {
    const isThere =
      error instanceof ClusterError && error.type === 'resource_already_exists_exception'
    if (!isThere) throw error
  }
}
