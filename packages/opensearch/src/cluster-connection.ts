import { Client, errors } from '@opensearch-project/opensearch'
import { ClusterError } from './cluster-error.ts'

/** Where a cluster is, and who we are there. */
export interface ClusterAddress {
  /** One or more of its nodes, as `https://search-1:9200`. */
  readonly urls: readonly string[]
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** PEM of the authority that its certificates must come from; else those that Node trusts. */
  readonly caCertificate?: string | undefined
}

export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  readonly path: string
  readonly body?: object
  /** Lines of a bulk request: objects, or JSON as it is. */
  readonly lines?: readonly (object | string)[]
  /** May be sent again to another node when the first gives no answer. */
  readonly repeatable?: boolean
  /** How long an answer is waited for, in milliseconds. Default: 30 s. */
  readonly limitMs?: number
}

const REQUEST_LIMIT_MS = 30_000
const REPEATS_MAX = 3
/** Oldest minor release of each major that is tested. */
const SUPPORTED: Readonly<Record<number, number>> = { 2: 19, 3: 0 }

/**
 * Requests to a cluster, over kept connections to all of its nodes: one that does not answer is
 * left out for a while. Every failure is a ClusterError.
 */
export class ClusterConnection {
  readonly #client: Client

  /** Connects lazily: nothing is sent before the first request. */
  constructor({ urls, username, password, caCertificate }: ClusterAddress) {
    this.#client = new Client({
      nodes: [...urls],
      requestTimeout: REQUEST_LIMIT_MS,
      // What may be repeated is known by who asks.
      maxRetries: 0,
      ...(username === undefined ? {} : { auth: { username, password: password ?? '' } }),
      ...(caCertificate === undefined ? {} : { ssl: { ca: caCertificate } }),
    })
  }

  /**
   * Checks that this is an OpenSearch of a supported release, that we may ask it, and that no shard
   * is missing.
   *
   * @returns its version, as `2.19.1`
   * @throws ClusterError `unfit` with what an operator can do; `unreachable`
   */
  async check(): Promise<string> {
    const { version } = (await this.request({ method: 'GET', path: '/', repeatable: true })) as {
      version?: { distribution?: string; number?: string }
    }
    const { distribution = 'another engine', number = 'unknown' } = version ?? {}
    const [major = 0, minor = 0] = number.split('.').map(Number)
    const oldestMinor = SUPPORTED[major]
    if (distribution !== 'opensearch' || oldestMinor === undefined || minor < oldestMinor) {
      throw new ClusterError(
        'unfit',
        `Cannot use this cluster: it is ${distribution} ${number}, and OpenSearch 2.19 or 3 is needed`,
      )
    }
    const health = (await this.request({
      method: 'GET',
      path: '/_cluster/health',
      repeatable: true,
    })) as { status: string; unassigned_shards: number }
    if (health.status === 'red') {
      throw new ClusterError(
        'unfit',
        `Cannot use this cluster: its status is red, ${health.unassigned_shards} shards are on no node`,
      )
    }
    return number
  }

  /** @returns the body of the answer, read as JSON @throws ClusterError */
  async request({
    method,
    path,
    body,
    lines,
    repeatable,
    limitMs = REQUEST_LIMIT_MS,
  }: ClusterRequest): Promise<unknown> {
    try {
      const answer = await this.#client.transport.request(
        {
          method,
          path,
          ...(body === undefined ? {} : { body }),
          ...(lines === undefined ? {} : { bulkBody: [...lines] as object[] }),
        },
        { maxRetries: repeatable === true ? REPEATS_MAX : 0, requestTimeout: limitMs },
      )
      return answer.body
    } catch (error) {
      throw explained(error, `${method} ${path}`)
    }
  }

  async close(): Promise<void> {
    await this.#client.close()
  }
}

function explained(error: unknown, what: string): ClusterError {
  if (!(error instanceof errors.ResponseError)) {
    const message = error instanceof Error ? error.message : String(error)
    return new ClusterError('unreachable', `No answer to ${what}: ${message}`, { cause: error })
  }
  const status = error.statusCode
  const { type = '', reason = '' } = detailsOf(error.body)
  const details = { status, type, cause: error }
  if (status === 401 || status === 403) {
    const isBlock = type === 'cluster_block_exception'
    if (!isBlock) {
      const message = `Cannot use this cluster: it refuses ${what} with ${status} ${reason}`.trim()
      return new ClusterError('unfit', message, details)
    }
  }
  const isBusy = status === 429 || status === 503 || type === 'cluster_block_exception'
  return new ClusterError(isBusy ? 'busy' : 'refused', `${what}: ${status} ${reason}`, details)
}

/** @param body `{ error: { type, reason } }`, or a page of a proxy */
function detailsOf(body: unknown): { type?: string; reason?: string } {
  const { error } = (body ?? {}) as { error?: unknown }
  return typeof error === 'object' && error !== null ? error : {}
}
