import { setTimeout as wait } from 'node:timers/promises'
import { errors } from '@opensearch-project/opensearch'
import { ClusterError } from './cluster-error.ts'
import { ClusterNode } from './cluster-node.ts'
import type { NodeState } from './cluster-node.ts'
import { LostMembers } from './lost-members.ts'

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
  /**
   * Why an answer with 200 is none, as when a shard is missing in it: it is asked for again where
   * `repeatable`, and is a failure then.
   */
  readonly flawOf?: (answer: never) => string | undefined
  /** How long an answer is waited for, in milliseconds. Default: 30 s. */
  readonly limitMs?: number
}

const REQUEST_LIMIT_MS = 30_000
const REPEATS_MAX = 4
/** Before the first repeat, in milliseconds; twice as long before each further one. */
const REPEAT_MS = 100
/** Between two looks at each node. */
const LOOK_MS = 1_000
/** A cluster that is red is looked at so often before it counts as that. */
const RED_LOOKS_MAX = 10
const RED_PAUSE_MS = 300
/** Oldest minor release of each major that is tested. */
const SUPPORTED: Readonly<Record<number, number>> = { 2: 19, 3: 0 }

interface Health {
  readonly status: string
  readonly unassigned_shards: number
}

/**
 * Requests to a cluster, over kept connections to all of its nodes in turn. Each node is asked once
 * a second whether it is well; one that is not gets no requests, and what waits for it is given up
 * as soon as another one is well: a node that is frozen, or has lost the others, would keep it
 * until its time is over, and one that was frozen would answer as of then. What was sent before the
 * cluster lost a node, and waits long after, is given up as well. Every failure is a ClusterError.
 */
export class ClusterConnection {
  readonly #nodes: readonly ClusterNode[]
  #next = 0
  #looking: NodeJS.Timeout | undefined
  /** Version of the state of the cluster, as of the last look at all nodes. */
  #newest = 0
  readonly #lost = new LostMembers()
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
    const { status, unassigned_shards: count } = await this.#health()
    if (status === 'red') {
      throw new ClusterError(
        'unfit',
        `Cannot use this cluster: its status is red, ${count} shards are on no node`,
      )
    }
    return number
  }

  /** A cluster is red for a moment whenever an index is made: that passes. */
  async #health(): Promise<Health> {
    for (let looks = 1; ; looks++) {
      const path = '/_cluster/health'
      const health = (await this.request({ method: 'GET', path, repeatable: true })) as Health
      if (health.status !== 'red' || looks === RED_LOOKS_MAX) return health
      await wait(RED_PAUSE_MS)
    }
  }

  /** @returns the body of the answer, read as JSON @throws ClusterError */
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
      ...(lines === undefined ? {} : { bulkBody: [...lines] as object[] }),
    }
    const endMs = performance.now() + limitMs
    for (let sends = 1; ; sends++) {
      try {
        const options = { maxRetries: 0, requestTimeout: limitMs }
        const answer = await this.#pick().send(params, options)
        const flaw = flawOf(answer as never)
        if (flaw === undefined) return answer
        throw new ClusterError('busy', `${method} ${path}: ${flaw}`)
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

  /** The next one that is well; when none is, the next one. */
  #pick(): ClusterNode {
    const well = this.#nodes.filter(({ isWell }) => isWell)
    const nodes = well.length > 0 ? well : this.#nodes
    return nodes[this.#next++ % nodes.length]!
  }

  /** From the first request on. */
  #lookSoon(): void {
    if (this.#looking !== undefined || this.#isClosed) return
    this.#looking = setTimeout(() => {
      void Promise.all(this.#nodes.map((node) => this.#look(node))).then((states) => {
        // Only what some node has now: a cluster that was made anew begins with 1.
        this.#newest = Math.max(0, ...states.map(({ version = 0 }) => version))
        for (const [at, node] of this.#nodes.entries()) {
          node.settle(states[at]!.version, this.#newest)
        }
        this.#giveUpHopeless(states)
        this.#looking = undefined
        this.#lookSoon()
      })
    }, LOOK_MS).unref()
  }

  async #look(node: ClusterNode): Promise<NodeState> {
    const state = await node.look(this.#newest)
    // When all are ill, as without a manager, those that wait may yet get their answer.
    const isSomeWell = this.#nodes.some(({ isWell }) => isWell)
    if (isSomeWell) for (const one of this.#nodes) if (!one.isWell) one.giveUp()
    return state
  }

  #giveUpHopeless(states: readonly NodeState[]): void {
    const nowMs = performance.now()
    const newest = states.find(({ version }) => version === this.#newest)
    if (newest?.members !== undefined) this.#lost.see(newest.members, nowMs)
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
      const message = `Cannot use this cluster: it refuses ${what} with ${status} ${hint}`.trim()
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
