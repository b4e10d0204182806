import type { ClusterConnection } from './cluster-connection.ts'
import { createIndex } from './create-index.ts'
import { ClusterError, isDiskFull } from './cluster-error.ts'
import { SLOT_COUNTS, slotName } from './field-slots.ts'

/** Layers of joined tokens, which allow several at one position. Further ones get no position. */
export const JOINED_LAYERS = 3
/** Fills an empty place of a row. No search contains it. */
export const NOTHING = '-'

/**
 * Splits terms at spaces, and skips empty places: they cost nothing, and the words after them stay
 * where they are. It has the name of a built-in analyzer, which older indices use with the same
 * mapping: there each empty place is a term.
 */
const SPLIT = 'whitespace'
const ANALYSIS = {
  'analysis.filter.words.type': 'stop',
  'analysis.filter.words.stopwords': [NOTHING],
  [`analysis.analyzer.${SPLIT}.type`]: 'custom',
  [`analysis.analyzer.${SPLIT}.tokenizer`]: 'whitespace',
  [`analysis.analyzer.${SPLIT}.filter`]: ['words'],
} as const

/** Stores a term and the documents that have it. */
const TERM = { type: 'keyword', doc_values: false } as const
/**
 * Stores any number of terms, separated by spaces. Queries treat it like `TERM`, but a list of
 * keywords would cost the cluster a separate field for each of its terms, and another term for the
 * existence of that field.
 */
const TERMS = {
  type: 'text',
  analyzer: SPLIT,
  norms: false,
  index_options: 'docs',
} as const
/** Stores terms that can also be listed. */
const LISTED_TERM = { type: 'keyword' } as const
/** Stores a value that is never searched. */
const KEPT = { type: 'keyword', index: false, doc_values: false } as const
/** Stores terms in a row, in order, with a wide gap between two values of an array. */
const ROW = {
  type: 'text',
  analyzer: SPLIT,
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

/** Fields that indices from before geopoints lack. */
const PLACES = {
  ...slots('place', SLOT_COUNTS.place, { type: 'geo_point' }),
  // 1 where there is a place: an order by distance has no defined position for those without.
  ...slots('placed', SLOT_COUNTS.place, { type: 'integer', index: false }),
}

/**
 * The elements of `object[]` fields, each a separate document beside its product. Indices from
 * before these fields lack them.
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
 * The words of a document as bytes, for ranking the best matches. Older indices lack this field.
 * Stored by document, so that those of 200 are read quickly; never searched.
 */
const TOKENS = { tokens: { type: 'binary', doc_values: true } } as const

/** The vectors of a document (`product-vectors.ts`), for scripts. Older indices lack this field. */
const VECTORS = { vectors: { type: 'binary', doc_values: true } } as const

/**
 * The key of the first version of a document, which orders equal ones. Older indices lack this
 * field; what is stored of it is in `operation`, because they would drop it from `_source`.
 */
const INSERTED = { inserted: { type: 'long', index: false } } as const

/**
 * The evidence of each stem in a document, for the order of candidates. Older indices lack this
 * field.
 */
const EVIDENCE = { evidence: { type: 'rank_features' } } as const

/** One mapping for all schemas. docs/cluster-index.md describes each field. */
const PRODUCT_MAPPING = {
  dynamic: 'strict',
  // All other fields can be derived from these.
  _source: { includes: ['scope', 'id', 'key', 'json', 'operation', 'writtenMs'] },
  properties: {
    scope: LISTED_TERM,
    id: TERM,
    key: { type: 'long' },
    ...INSERTED,
    json: KEPT,
    bytes: { type: 'integer', index: false },
    writtenMs: { type: 'long', index: false },
    operation: KEPT,
    present: TERMS,
    words: LISTED_TERM,
    groups: TERMS,
    joined: TERMS,
    // Nodes of an older version write it.
    impacts: TERMS,
    ...EVIDENCE,
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
    ...VECTORS,
  },
} as const

/**
 * Plain tokens are in `row0` and `stemRow0`, joined ones in the rows above, at the same positions.
 */
function rows(name: 'row' | 'stemRow'): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: JOINED_LAYERS + 1 }, (_, layer) => [`${name}${layer}`, ROW]),
  )
}

/** A search looks up all of its terms in each segment, so fewer and larger segments are better. */
const MERGES = {
  'merge.policy.floor_segment': '32mb',
  'merge.policy.segments_per_tier': 6,
} as const

/** Shards of a pool, which many small stores share: each store is in one of them. */
const POOL_SHARDS = 8

export interface ProductIndexOptions {
  readonly shards: number
  /** Whether each request must name the store, because each store is in one shard. */
  readonly isPool: boolean
  /** Whether it is loaded before it is searched: `endIndexLoad` makes it like the others. */
  readonly isLoading?: boolean
}

/**
 * Version of the mapping and the terms, in the names of pools. Searches of one version do not find
 * documents of another.
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
 * Creates the pool if it is missing; several nodes may do so at the same time. All product indices
 * get the slots that they lack: adding fields to a mapping changes no document.
 *
 * @throws ClusterError unfit: there are documents of an older version
 */
export async function openPool(cluster: ClusterConnection, prefix: string): Promise<void> {
  await refuseOlder(cluster, prefix)
  const pool = { shards: POOL_SHARDS, isPool: true }
  await createProductIndex(cluster, poolName(prefix, 0), pool)
  await addLaterFields(cluster, [`${prefix}-pool-*`, `${prefix}-store-*`])
}

/** Adds fields that indices lack because a node of an older version created them. */
export async function addLaterFields(
  cluster: ClusterConnection,
  indices: readonly string[],
): Promise<void> {
  const path = `/${indices.join(',')}/_mapping?allow_no_indices=true&ignore_unavailable=true`
  const properties: Fields = {
    ...PLACES,
    ...ELEMENTS,
    ...TOKENS,
    ...VECTORS,
    ...INSERTED,
    ...EVIDENCE,
  }
  try {
    await cluster.request({ method: 'PUT', path, body: { properties }, repeatable: true })
  } catch (error) {
    if (!(error instanceof ClusterError && isDiskFull(error))) throw error
    // A full cluster refuses even what changes nothing: nodes of this version were here before.
    const there = (await cluster.request({ method: 'GET', path, repeatable: true })) as Record<
      string,
      { readonly mappings: { readonly properties?: Fields } }
    >
    const isComplete = Object.values(there).every(({ mappings }) =>
      hasFields(mappings.properties, properties),
    )
    if (!isComplete) throw error
  }
}

type Fields = Readonly<Record<string, object>>

function hasFields(there: Fields | undefined, wanted: Fields): boolean {
  const partsOf = (field: object): Fields =>
    'properties' in field ? (field.properties as Fields) : {}
  return Object.entries(wanted).every(([name, field]) => {
    const known = there?.[name]
    return known !== undefined && hasFields(partsOf(known), partsOf(field))
  })
}

/** Only the previous version is checked, because it created a pool as soon as it started. */
async function refuseOlder(cluster: ClusterConnection, prefix: string): Promise<void> {
  const older = poolName(prefix, 0, VERSION - 1)
  // Listing indices would require a right on the whole cluster.
  const path = `/${older}?ignore_unavailable=true`
  const there = (await cluster.request({ method: 'GET', path, repeatable: true })) as object
  if (Object.keys(there).length === 0) return
  throw new ClusterError(
    'unfit',
    `Cannot use this cluster: "${older}" has documents of an earlier version. Export them with "aisle cluster export" of that version, delete the indices "${prefix}-*", and load the export with "aisle cluster import" of this version`,
  )
}

/** Settings of an index that is searched. */
const SEARCHED = {
  // One replica if there is a second node.
  auto_expand_replicas: '0-1',
  // Each write requests a refresh. This makes the rest visible, for example of an interrupted
  // write; a shorter interval would create more segments during long writes.
  refresh_interval: '10s',
} as const

/**
 * Makes everything that was written into an index visible, and copies it.
 * @returns whether all copies are complete; false: call it again later
 */
export async function endIndexLoad(cluster: ClusterConnection, name: string): Promise<boolean> {
  const settings = { method: 'PUT', path: `/${name}/_settings` } as const
  // A new copy gets the files of the last commit, and repeats every write after it.
  await cluster.request({ method: 'POST', path: `/${name}/_flush`, repeatable: true })
  await cluster.request({ ...settings, body: { index: SEARCHED }, repeatable: true })
  await cluster.request({ method: 'POST', path: `/${name}/_refresh`, repeatable: true })
  const health = (await cluster.request({
    method: 'GET',
    path: `/_cluster/health/${name}?level=indices`,
    repeatable: true,
  })) as LoadedHealth
  const { status, number_of_replicas: replicas } = health.indices[name]!
  return status === 'green' && (replicas > 0 || health.number_of_data_nodes === 1)
}

interface LoadedHealth {
  readonly number_of_data_nodes: number
  readonly indices: Readonly<
    Record<string, { readonly status: string; readonly number_of_replicas: number }>
  >
}

/** Creates a product index if it is missing. */
export async function createProductIndex(
  cluster: ClusterConnection,
  name: string,
  { shards, isPool, isLoading = false }: ProductIndexOptions,
): Promise<void> {
  const settings = {
    number_of_shards: shards,
    // With segment replication, a refresh would guarantee nothing about the replicas.
    'replication.type': 'DOCUMENT',
    'translog.durability': 'request',
    ...(isLoading ? { number_of_replicas: 0, refresh_interval: '-1' } : SEARCHED),
    ...MERGES,
    ...ANALYSIS,
    max_result_window: 100_000,
  }
  const mappings = isPool ? { ...PRODUCT_MAPPING, _routing: { required: true } } : PRODUCT_MAPPING
  await createIndex(cluster, name, { settings: { index: settings }, mappings })
}
