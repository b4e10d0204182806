import { Client, errors } from '@opensearch-project/opensearch'
import type { ClientOptions } from '@opensearch-project/opensearch'

type Params = Parameters<Client['transport']['request']>[0]
type SendOptions = Parameters<Client['transport']['request']>[1]
type Sent = ReturnType<Client['transport']['request']>

/**
 * A node that says nothing for so long is left out, and what waits for it is given up: before the
 * others go on without it, which takes them three seconds at least.
 */
const LOOK_LIMIT_MS = 2_000
/**
 * A node that has lost the others finds that out in the time of their checks; it is asked to say so
 * after this.
 */
const MANAGER_LIMIT = '1s'
/** Looks in a row, after which a node that was left out is used again. */
const GOOD_LOOKS = 3

/** What a node says of the state of the cluster, as far as it says anything. */
export interface NodeState {
  readonly version?: number
  /** Ids of the nodes that belong to the cluster; a node that starts again has another one. */
  readonly members?: ReadonlySet<string>
}

const STATE_PATH =
  '/_cluster/state/version,nodes?local=true&filter_path=version,nodes.*.ephemeral_id'

/** One node of a cluster: kept connections to it, and whether it can be used. */
export class ClusterNode {
  readonly #client: Client
  /** When each was sent. */
  readonly #waiting = new Map<Sent, number>()
  /** Whether it answers, and belongs to the cluster. */
  isWell = true
  /** At the last look, as far as was known then. */
  #isCurrent = true
  #goodLooks = 0

  constructor(url: string, options: ClientOptions) {
    this.#client = new Client({ ...options, node: url, maxRetries: 0 })
  }

  /** @returns the body of the answer */
  async send(params: Params, options: SendOptions): Promise<unknown> {
    const sent = this.#client.transport.request(params, options)
    this.#waiting.set(sent, performance.now())
    try {
      return (await sent).body
    } catch (error) {
      // It is asked again once a second.
      if (error instanceof errors.ConnectionError) this.isWell = false
      throw error
    } finally {
      this.#waiting.delete(sent)
    }
  }

  /**
   * Asks whether it can be used. One that is frozen, or has lost the others, answers nothing. One
   * that was frozen answers with documents as they were then, until it has heard that the others
   * have gone on without it: it is known by the version of its state.
   *
   * @param newest version of the state that another node had at an earlier look
   * @returns its own state
   */
  async look(newest: number): Promise<NodeState> {
    const health = `/_cluster/health?cluster_manager_timeout=${MANAGER_LIMIT}&filter_path=status`
    const [answers, state] = await Promise.all([
      this.#ask(health).then(
        () => true,
        (error: unknown) => error instanceof errors.ResponseError && error.statusCode !== 503,
      ),
      this.#ask(STATE_PATH).then(stateOf, (): NodeState => ({})),
    ])
    const { version } = state
    this.#isCurrent = answers && (version === undefined || version >= newest)
    if (!this.#isCurrent) this.isWell = false
    return state
  }

  /**
   * After a look at all nodes. One that was left out is used again when it has known for a while
   * what the others know: they may be about to go on without it.
   *
   * @param newest version of the state that some node had at this look
   */
  settle(version: number | undefined, newest: number): void {
    if (this.isWell) return
    const isCurrent = this.#isCurrent && (version === undefined || version >= newest)
    this.#goodLooks = isCurrent ? this.#goodLooks + 1 : 0
    if (this.#goodLooks < GOOD_LOOKS) return
    this.#goodLooks = 0
    this.isWell = true
  }

  async #ask(path: string): Promise<unknown> {
    const options = { maxRetries: 0, requestTimeout: LOOK_LIMIT_MS }
    return (await this.#client.transport.request({ method: 'GET', path }, options)).body
  }

  /**
   * Whoever waits for its answer gets an error now.
   * @param beforeMs only to what was sent before, by `performance.now()`
   */
  giveUp(beforeMs = Infinity): void {
    for (const [sent, sentMs] of this.#waiting) if (sentMs < beforeMs) sent.abort()
  }

  async close(): Promise<void> {
    await this.#client.close()
  }
}

function stateOf(body: unknown): NodeState {
  const { version, nodes } = body as {
    readonly version?: number
    readonly nodes?: Readonly<Record<string, { readonly ephemeral_id: string }>>
  }
  return {
    ...(version === undefined ? {} : { version }),
    ...(nodes === undefined
      ? {}
      : { members: new Set(Object.values(nodes).map((node) => node.ephemeral_id)) }),
  }
}
