import { setTimeout as wait } from 'node:timers/promises'
import { errors } from '@opensearch-project/opensearch'
import { ClusterError } from './cluster-error.ts'
import { ClusterNode, type NodeState } from './cluster-node.ts'
import { LostAnswers } from './lost-answers.ts'

/** The address of a cluster, and our credentials. */
export interface ClusterAddress {
  /** One or more of its nodes, as `https://search-1:9200`. */
  readonly urls: readonly string[]
  readonly username?: string | undefined
  readonly password?: string | undefined
  /**
   * PEM of the authority that must have issued its certificates; default: those that Node trusts.
   */
  readonly caCertificate?: string | undefined
}

export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  readonly path: string
  readonly body?: object
  /** Lines of a bulk request: objects, or JSON text. */
  readonly lines?: readonly (object | string)[]
  /** Whether it may be sent again to another node if the first does not respond. */
  readonly repeatable?: boolean
  /**
   * Returns why a response with 200 is unusable, for example because a shard is missing in it: the
   * request is retried if `repeatable`, and then fails with this as its type.
   */
  readonly flawOf?: (answer: never) => string | undefined
  /** Timeout in milliseconds. Default: 30 s. */
  readonly limitMs?: number
}

const LINE_FEED = 0x0a
const REQUEST_LIMIT_MS = 30_000
/**
 * Timeout of the creation of an index: it waits for the manager and the disks of several nodes, and
 * a busy cluster is no reason not to start.
 */
export const CREATION_LIMIT_MS = 120_000
const REPEATS_MAX = 4
/** Delay before the first retry, in milliseconds; it doubles before each further one. */
const REPEAT_MS = 100
/** Interval between checks of each node. */
const LOOK_MS = 1_000
/** The same while the state changes, which some nodes hear later than others. */
const CHANGING_LOOK_MS = 200
/** Checks before a cluster counts as red. */
const RED_LOOKS_MAX = 10
const RED_PAUSE_MS = 300
/** Oldest minor release of each major that is tested. */
const SUPPORTED: Readonly<Record<number, number>> = { 2: 19, 3: 0 }

interface Health {
  readonly status: string
  readonly unassigned_shards: number
}

/**
 * Sends requests to a cluster, over keep-alive connections to all of its nodes in turn. Checks each
 * node once a second. An unhealthy node gets no requests, and those that wait for it are aborted as
 * soon as another node is healthy: a node that is frozen, or has lost the others, would hold them
 * until their timeout, and one that was frozen would answer with old data. Requests sent before the
 * cluster lost a node or elected another manager that wait long after are aborted as well. Every
 * failure is a ClusterError.
 */
export class ClusterConnection {
  readonly #nodes: readonly ClusterNode[]
  #next = 0
  #looking: NodeJS.Timeout | undefined
  /** Version of the cluster state, as of the last check of all nodes. */
  #newest = 0
  readonly #lost = new LostAnswers()
  #isClosed = false

  /** Connects lazily: nothing is sent before the first request. */
  constructor({ urls, username, password, caCertificate }: ClusterAddress) {
    const options = {
      ...(username === undefined ? {} : { auth: { username, password: password ?? '' } }),
      ...(caCertificate === undefined ? {} : { ssl: { ca: caCertificate } }),
    }
    this.#nodes = urls.map((url) => new ClusterNode(url, options))
  }

  /**
   * Checks that this is an OpenSearch of a supported release, that we have access, and that no
   * shard is missing.
   *
   * @returns its version, as `2.19.1`
   * @throws ClusterError `unfit` with what an operator can do; `unreachable`
   */
  async check(): Promise<string> {
    // One that has lost the others would answer the first reads with old documents.
    await this.#lookAtAll()
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
    const { status, unassigned_shards: count } = await this.#health()
    if (status === 'red') {
      throw new ClusterError(
        'unfit',
        `Cannot use this cluster: its status is red, ${count} shards are unassigned`,
      )
    }
    return number
  }

  /** A cluster is red for a moment whenever an index is created. */
  async #health(): Promise<Health> {
    for (let looks = 1; ; looks++) {
      const path = '/_cluster/health'
      const health = (await this.request({ method: 'GET', path, repeatable: true })) as Health
      if (health.status !== 'red' || looks === RED_LOOKS_MAX) return health
      await wait(RED_PAUSE_MS)
    }
  }

  /** @returns the parsed JSON body of the response @throws ClusterError */
  async request({
    method,
    path,
    body,
    lines,
    repeatable,
    flawOf = () => undefined,
    limitMs = REQUEST_LIMIT_MS,
  }: ClusterRequest): Promise<unknown> {
    this.#lookSoon()
    const params = {
      method,
      path,
      ...(body === undefined ? {} : { body }),
      ...(lines === undefined ? {} : { bulkBody: bytesOf(lines) as unknown as object[] }),
    }
    const endMs = performance.now() + limitMs
    for (let sends = 1; ; sends++) {
      try {
        const options = { maxRetries: 0, requestTimeout: limitMs }
        const answer = await this.#pick().send(params, options)
        const flaw = flawOf(answer as never)
        if (flaw === undefined) return answer
        throw new ClusterError('busy', `${method} ${path}: ${flaw}`, { type: flaw })
      } catch (error) {
        const isOver = sends > REPEATS_MAX || performance.now() > endMs
        if (repeatable !== true || isOver || !isWorthRepeating(error)) {
          throw explained(error, `${method} ${path}`)
        }
      }
      await wait(REPEAT_MS * 2 ** (sends - 1))
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#looking)
    await Promise.all(this.#nodes.map((node) => node.close()))
  }

  /** Returns the next healthy node whose state is the newest; if there is none, the next best. */
  #pick(): ClusterNode {
    const well = this.#nodes.filter(({ isWell }) => isWell)
    const current = well.filter(({ isLate }) => !isLate)
    const nodes = [current, well].find((some) => some.length > 0) ?? this.#nodes
    return nodes[this.#next++ % nodes.length]!
  }

  /** Runs from the first request. */
  #lookSoon(ms = LOOK_MS): void {
    if (this.#looking !== undefined || this.#isClosed) return
    this.#looking = setTimeout(() => {
      void this.#lookAtAll().then((isChanging) => {
        this.#looking = undefined
        this.#lookSoon(isChanging ? CHANGING_LOOK_MS : LOOK_MS)
      })
    }, ms).unref()
  }

  /** @returns whether the state has changed since the last check, or differs from node to node */
  async #lookAtAll(): Promise<boolean> {
    const states = await Promise.all(this.#nodes.map((node) => this.#look(node)))
    const versions = states.flatMap(({ version }) => (version === undefined ? [] : [version]))
    const before = this.#newest
    // Considers only versions that some node has now, because a re-created cluster begins with 1.
    this.#newest = Math.max(0, ...versions)
    for (const [at, node] of this.#nodes.entries()) node.settle(states[at]!.version, this.#newest)
    this.#giveUpHopeless(states)
    return this.#newest !== before || versions.some((version) => version < this.#newest)
  }

  async #look(node: ClusterNode): Promise<NodeState> {
    const state = await node.look()
    // If all nodes are unhealthy, for example without a manager, waiting requests may still get a
    // response.
    const isSomeWell = this.#nodes.some(({ isWell }) => isWell)
    if (isSomeWell) for (const one of this.#nodes) if (!one.isWell) one.giveUp()
    return state
  }

  #giveUpHopeless(states: readonly NodeState[]): void {
    const nowMs = performance.now()
    const newest = states.find(({ version }) => version === this.#newest)
    if (newest?.membership !== undefined) this.#lost.see(newest.membership, nowMs)
    const beforeMs = this.#lost.hopelessBeforeMs(nowMs)
    if (beforeMs !== undefined) for (const node of this.#nodes) node.giveUp(beforeMs)
  }
}

/** Another node may answer, or the same one a moment later. */
function isWorthRepeating(error: unknown): boolean {
  if (!(error instanceof errors.ResponseError)) return true
  return [502, 503, 504].includes(error.statusCode ?? 0)
}

function explained(error: unknown, what: string): ClusterError {
  if (error instanceof ClusterError) return error
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
      const hint = status === 401 ? '(wrong user or password)' : reason
      const message = `Cannot use this cluster: it refused ${what} with ${status} ${hint}`.trim()
      return new ClusterError('unfit', message, details)
    }
  }
  const isBusy = status === 429 || status === 503 || type === 'cluster_block_exception'
  return new ClusterError(isBusy ? 'busy' : 'refused', `${what}: ${status} ${reason}`, details)
}

/**
 * The lines as bytes. One text of all of them would be copied as often, with two bytes for each
 * character if a single document has one beyond Latin-1.
 */
function bytesOf(lines: readonly (object | string)[]): Buffer {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  const length = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0)
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const text of texts) {
    at += bytes.write(text, at)
    bytes[at++] = LINE_FEED
  }
  return bytes
}

/** @param body `{ error: { type, reason } }`, or a page of a proxy */
function detailsOf(body: unknown): { type?: string; reason?: string } {
  const { error } = (body ?? {}) as { error?: unknown }
  return typeof error === 'object' && error !== null ? error : {}
}
