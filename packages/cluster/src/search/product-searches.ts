import { ClusterError } from '../opensearch/cluster-error.ts'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import type { ProductPlace } from '../opensearch/product-requests.ts'

/** A query in the cluster's own language. */
export type Query = Readonly<Record<string, unknown>>

/** The cluster's response to one search. */
export interface SearchAnswer {
  /** In milliseconds. */
  readonly took: number
  /** The search reached its time limit: the whole response is partial. */
  readonly timed_out: boolean
  readonly hits: {
    readonly total?: { readonly value: number }
    readonly hits: readonly ProductHit[]
  }
  readonly aggregations?: Readonly<Record<string, Aggregated>>
  readonly suggest?: Readonly<
    Record<string, readonly { readonly options: readonly SuggestedWord[] }[]>
  >
}

interface SuggestedWord {
  readonly text: string
  /** Documents that have it, deleted ones included. */
  readonly freq: number
}

export interface ProductHit {
  readonly _score: number | null
  readonly _source?: { readonly id: string; readonly key: number; readonly json: string }
  readonly sort?: readonly unknown[]
  /** Values of the columns that were requested by name. */
  readonly fields?: Readonly<Record<string, readonly (string | number)[]>>
}

/** A response of any of the aggregation kinds in use. */
export interface Aggregated {
  readonly doc_count?: number
  readonly sum_other_doc_count?: number
  readonly value?: number
  readonly count?: number
  readonly min?: number
  readonly max?: number
  readonly sum?: number
  readonly avg?: number
  readonly buckets?: readonly Bucket[] | Readonly<Record<string, Bucket>>
  /** The aggregation inside a filter. */
  readonly of?: Aggregated
}

export interface Bucket {
  readonly key?: string | number
  readonly key_as_string?: string
  readonly doc_count: number
}

/** Maximum of searches in one request: small ones are cheap, but a request has a size limit. */
const SEARCHES_MAX = 500
/** Time limit of a search without a deadline. */
const SEARCH_LIMIT_MS = 20_000
/** Time for the cluster's partial response to arrive after its limit. */
const GRACE_MS = 1_000

export interface SearchesOptions {
  /** `performance.now()` after which the cluster returns what it has found so far. */
  readonly deadlineMs: number | undefined
  /** Returns an equivalent body for a search that the cluster fails to run. */
  readonly otherBody?: (at: number) => object | undefined
}

/**
 * Runs searches in a place, in one request unless there are too many.
 * @throws ClusterError, also if any shard failed, because a partial response is useless
 */
export async function searchProducts(
  cluster: ClusterConnection,
  place: ProductPlace,
  bodies: readonly object[],
  { deadlineMs, otherBody }: SearchesOptions,
): Promise<SearchAnswer[]> {
  const answers: Answer[] = []
  for (let from = 0; from < bodies.length; from += SEARCHES_MAX) {
    const some = bodies.slice(from, from + SEARCHES_MAX)
    answers.push(...(await ask(cluster, place, some, deadlineMs)))
  }
  const failed = [...answers.keys()].flatMap((at) => {
    const body = isOutOfBounds(answers[at]!) ? otherBody?.(at) : undefined
    return body === undefined ? [] : [{ at, body }]
  })
  if (failed.length > 0) {
    const others = failed.map(({ body }) => body)
    const again = await ask(cluster, place, others, deadlineMs)
    failed.forEach(({ at }, i) => (answers[at] = again[i]!))
  }
  return answers.map(complete)
}

async function ask(
  cluster: ClusterConnection,
  { index, routing }: ProductPlace,
  bodies: readonly object[],
  deadlineMs: number | undefined,
): Promise<readonly Answer[]> {
  // Searches a copy on the contacted node if there is one, which saves a hop.
  const header = { index, preference: '_local', ...(routing === undefined ? {} : { routing }) }
  const leftMs = deadlineMs === undefined ? SEARCH_LIMIT_MS : deadlineMs - performance.now()
  const limitMs = inSteps(Math.max(1, leftMs))
  const { responses } = (await cluster.request({
    method: 'POST',
    path: '/_msearch',
    lines: bodies.flatMap((body) => [
      { ...header, request_cache: isWorthCaching(body) },
      { timeout: `${limitMs}ms`, ...body },
    ]),
    repeatable: true,
    flawOf: ({ responses: given }: { responses: readonly Answer[] }) =>
      given.map(passingFailure).find((failure) => failure !== undefined),
    limitMs: limitMs + GRACE_MS,
  })) as { responses: readonly Answer[] }
  return responses
}

/**
 * Whether a shard should cache the response until its documents change. For hits this costs more
 * than it saves: the whole search is cached in this node if it recurs, and takes a tenth longer if
 * the shard caches its hits.
 */
function isWorthCaching(body: object): boolean {
  const { size, aggs } = body as { readonly size?: number; readonly aggs?: object }
  return size === 0 || aggs !== undefined
}

/**
 * Rounds a limit up, so that repeated searches have the same one: a shard caches a search by its
 * whole body.
 *
 * @param ms at least 1
 * @returns at most an eighth more
 */
function inSteps(ms: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(ms)) - 3)
  return Math.ceil(ms / step) * step
}

type Answer = SearchAnswer & Failure

/** Whether a search failed with an index out of bounds, on all shards or on one of several. */
function isOutOfBounds(answer: Answer): boolean {
  return failuresOf(answer).some((type) => OUT_OF_BOUNDS.includes(type))
}

/**
 * Failures that soon pass: a node has no memory left until its next collection, or a shard has no
 * copy while another one is promoted. Overload is none of them, because repeating adds to it.
 */
const PASSING: readonly string[] = [
  'circuit_breaking_exception',
  'no_shard_available_action_exception',
  'node_not_connected_exception',
  'node_disconnected_exception',
  'node_closed_exception',
  'already_closed_exception',
  'shard_not_found_exception',
  'illegal_index_shard_state_exception',
  'index_shard_closed_exception',
  'index_shard_not_started_exception',
]
/** The same of a whole search: without any copy of a shard, there is no cause. */
const PASSING_STATUSES: readonly number[] = [502, 503, 504]

/** @returns the name of a failure that soon passes */
function passingFailure(answer: Answer): string | undefined {
  const failures = failuresOf(answer)
  if (PASSING_STATUSES.includes(answer.status)) return failures[0] ?? String(answer.status)
  return failures.find((type) => PASSING.includes(type))
}

/** The names of what failed, the causes first. */
function failuresOf({ error, _shards }: Answer): string[] {
  const causes = error === undefined ? [] : [...(error.root_cause ?? []), error]
  const ofShards = _shards?.failures?.map(({ reason }) => reason) ?? []
  return [...causes, ...ofShards].map(({ type }) => type)
}

const OUT_OF_BOUNDS = ['index_out_of_bounds_exception', 'array_index_out_of_bounds_exception']

interface Failure {
  readonly status: number
  readonly error?: {
    readonly type: string
    readonly root_cause?: readonly { readonly type: string }[]
  }
  readonly _shards?: {
    readonly failed: number
    readonly failures?: readonly { readonly reason: { readonly type: string } }[]
  }
}

function complete(answer: Answer): SearchAnswer {
  const { error, status } = answer
  if (error !== undefined) {
    const kind = status === 400 ? 'refused' : 'busy'
    throw new ClusterError(kind, `search: ${status} ${JSON.stringify(error).slice(0, 2_000)}`, {
      status,
      type: failuresOf(answer)[0] ?? '',
    })
  }
  if ((answer._shards?.failed ?? 0) > 0) {
    const type = failuresOf(answer)[0] ?? ''
    const message = `search: ${answer._shards!.failed} shards failed`
    throw new ClusterError('busy', message, { status, type })
  }
  return answer
}
