import { ControlFollower } from '../opensearch/control-follower.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import type { StoredControl } from '../opensearch/control-document.ts'

export const NODE_KIND = 'node'
/** How often each node says that it lives. */
const BEAT_MS = 1_000
/** A node that was not heard of for so long is gone. Its share is free then. */
const GONE_MS = 4_000
/** Documents of nodes that are gone are removed after so long. */
const FORGOTTEN_MS = 60_000

/** A node that lives. */
export interface LiveNode {
  readonly nodeId: string
  readonly version: string
  readonly format: number
}

export interface LiveNodesOptions {
  /** Another one at each start. */
  readonly nodeId: string
  readonly version: string
  /** The newest format of the control documents that this node knows. */
  readonly format: number
  /** A clock that never goes back, in milliseconds. */
  readonly nowMs: () => number
  /** Beats could not be written or read; both are tried again. */
  readonly onFailure: (error: unknown) => void
}

/**
 * The API nodes of the cluster that live, by their heartbeats. A beat counts from when it is heard,
 * by our own clock: those of the nodes need not agree.
 */
export class LiveNodes {
  readonly #index: ControlIndex
  readonly #options: LiveNodesOptions
  readonly #follower: ControlFollower
  readonly #heard = new Map<string, { readonly node: LiveNode; readonly atMs: number }>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  /** When the cluster took our last beat. */
  #heardMs = -Infinity

  private constructor(index: ControlIndex, from: number, options: LiveNodesOptions) {
    this.#index = index
    this.#options = options
    this.#follower = new ControlFollower(index, from, {
      onChanges: (documents) => this.#take(documents),
      onFailure: options.onFailure,
    })
  }

  /** Says that this node lives, and goes on doing so. */
  static async open(index: ControlIndex, options: LiveNodesOptions): Promise<LiveNodes> {
    const documents = await index.all(NODE_KIND)
    const nodes = new LiveNodes(index, documents.at(-1)?.version.seqNo ?? -1, options)
    nodes.#take(documents)
    await nodes.#beat()
    nodes.#follower.start()
    nodes.#beatSoon()
    return nodes
  }

  /** With this one; at most 4 s after a node has ended it is out. */
  list(): LiveNode[] {
    const { nowMs, ...own } = this.#options
    const since = nowMs() - GONE_MS
    const others = [...this.#heard.values()].filter(({ atMs }) => atMs >= since)
    return [{ nodeId: own.nodeId, version: own.version, format: own.format }].concat(
      others.map(({ node }) => node),
    )
  }

  /** Whether every node that lives is of the version of this one, as far as it can know. */
  areAlike(): boolean {
    return this.isHeard() && this.list().every(({ version }) => version === this.#options.version)
  }

  /** Whether the cluster took one of our last beats. */
  isHeard(): boolean {
    return this.#options.nowMs() - this.#heardMs < GONE_MS
  }

  /** This node ends: the others need not wait until they miss it. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#follower.close()
    await this.#write('')
  }

  #beatSoon(): void {
    this.#timer = setTimeout(() => {
      void this.#beat()
        .catch(this.#options.onFailure)
        .then(() => {
          if (!this.#isClosed) this.#beatSoon()
        })
    }, BEAT_MS).unref()
  }

  async #beat(): Promise<void> {
    const { nodeId, version, format, nowMs } = this.#options
    await this.#write(JSON.stringify({ nodeId, version, format }))
    this.#heardMs = nowMs()
    const since = nowMs() - FORGOTTEN_MS
    const gone = [...this.#heard].filter(([, { atMs }]) => atMs < since).map(([id]) => id)
    if (gone.length === 0) return
    await this.#index.commit(gone.map((remove) => ({ remove })))
    for (const id of gone) this.#heard.delete(id)
  }

  async #write(json: string): Promise<void> {
    const id = `${NODE_KIND}:${this.#options.nodeId}`
    // Nobody else writes this document.
    await this.#index.commit([{ put: { id, kind: NODE_KIND, json }, expected: 'any' }])
  }

  #take(documents: readonly StoredControl[]): void {
    const { nodeId, nowMs } = this.#options
    for (const { id, kind, json } of documents) {
      if (kind !== NODE_KIND || id === `${NODE_KIND}:${nodeId}`) continue
      // One that has ended is as one that was not heard of for long; it is removed in time.
      const atMs = json === '' ? nowMs() - GONE_MS - 1 : nowMs()
      const node = json === '' ? { nodeId: '', version: '', format: 0 } : JSON.parse(json)
      this.#heard.set(id, { node, atMs })
    }
  }
}
