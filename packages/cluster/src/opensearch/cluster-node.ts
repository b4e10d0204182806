import { Client, errors, type ClientOptions } from '@opensearch-project/opensearch'
import type { Membership } from './lost-answers.ts'

type Params = Parameters<Client['transport']['request']>[0]
type SendOptions = Parameters<Client['transport']['request']>[1]
type Sent = ReturnType<Client['transport']['request']>

/**
 * A node that is silent for this time is excluded, and requests that wait for it are aborted:
 * before the others continue without it, which takes at least three seconds.
 */
const LOOK_LIMIT_MS = 2_000
/**
 * A node that has lost the others notices within the time of their checks; it must report that
 * within this time.
 */
const MANAGER_LIMIT = '1s'
/**
 * Time of successful checks after which an excluded node is used again: the others may be about to
 * continue without it.
 */
const GOOD_MS = 3_000

/** A node's view of the cluster state, as far as it reports one. */
export interface NodeState {
  readonly version?: number
  readonly membership?: Membership
}

/** Metadata of no index: without a pattern, the node would read those of all indices. */
const STATE_PATH =
  '/_cluster/state/version,nodes,metadata/no-index-*?local=true' +
  '&filter_path=version,nodes.*.ephemeral_id,metadata.cluster_coordination.term'

/** One node of a cluster: keep-alive connections to it, and whether it can be used. */
export class ClusterNode {
  readonly #client: Client
  /** Send time of each waiting request. */
  readonly #waiting = new Map<Sent, number>()
  /** Whether it responds, and belongs to the cluster. */
  isWell = true
  /**
   * Whether its state was older than that of another node at the last check: it may send reads to a
   * copy that gets no more writes.
   */
  isLate = false
  /** Whether it answered the last check. */
  #answers = true
  /** When it was first answered since it was excluded. */
  #goodSinceMs: number | undefined

  constructor(url: string, options: ClientOptions) {
    this.#client = new Client({
      ...options,
      node: url,
      maxRetries: 0,
      // JSON.parse needs no protection, and the search for such names takes as long as parsing.
      disablePrototypePoisoningProtection: true,
    })
  }

  /** @returns the body of the response */
  async send(params: Params, options: SendOptions): Promise<unknown> {
    const sent = this.#client.transport.request(params, options)
    this.#waiting.set(sent, performance.now())
    try {
      return (await sent).body
    } catch (error) {
      // The node is checked again once a second.
      if (error instanceof errors.ConnectionError) this.isWell = false
      throw error
    } finally {
      this.#waiting.delete(sent)
    }
  }

  /**
   * Checks whether it can be used. A node that is frozen, or has lost the others, does not respond.
   *
   * @returns the state of the node
   */
  async look(): Promise<NodeState> {
    const health = `/_cluster/health?cluster_manager_timeout=${MANAGER_LIMIT}&filter_path=status`
    const [answers, state] = await Promise.all([
      this.#ask(health).then(
        () => true,
        (error: unknown) => error instanceof errors.ResponseError && error.statusCode !== 503,
      ),
      this.#ask(STATE_PATH).then(stateOf, (): NodeState => ({})),
    ])
    this.#answers = answers
    if (!answers) this.isWell = false
    return state
  }

  /**
   * Call it after a check of all nodes. One that was frozen responds with old documents until it
   * has heard that the others have continued without it; the version of its state reveals that.
   *
   * @param version of its state, if it reports one
   * @param newest version of the state that some node had at this check
   */
  settle(version: number | undefined, newest: number): void {
    if (version !== undefined) this.isLate = version < newest
    if (this.isWell) return
    if (!this.#answers || this.isLate) {
      this.#goodSinceMs = undefined
      return
    }
    this.#goodSinceMs ??= performance.now()
    if (performance.now() - this.#goodSinceMs < GOOD_MS) return
    this.#goodSinceMs = undefined
    this.isWell = true
  }

  async #ask(path: string): Promise<unknown> {
    const options = { maxRetries: 0, requestTimeout: LOOK_LIMIT_MS }
    return (await this.#client.transport.request({ method: 'GET', path }, options)).body
  }

  /**
   * Requests that wait for it fail now.
   * @param beforeMs only requests sent before this, by `performance.now()`
   */
  giveUp(beforeMs = Infinity): void {
    for (const [sent, sentMs] of this.#waiting) if (sentMs < beforeMs) sent.abort()
  }

  async close(): Promise<void> {
    await this.#client.close()
  }
}

function stateOf(body: unknown): NodeState {
  const { version, nodes, metadata } = body as {
    readonly version?: number
    readonly nodes?: Readonly<Record<string, { readonly ephemeral_id: string }>>
    readonly metadata?: { readonly cluster_coordination?: { readonly term?: number } }
  }
  const members = new Set(Object.values(nodes ?? {}).map((node) => node.ephemeral_id))
  return {
    ...(version === undefined ? {} : { version }),
    ...(nodes === undefined
      ? {}
      : { membership: { members, term: metadata?.cluster_coordination?.term } }),
  }
}
