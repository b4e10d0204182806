import { ClusterError, isDiskFull } from '../opensearch/cluster-error.ts'
import { ControlFollower } from '../opensearch/control-follower.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import type { StoredControl } from '../opensearch/control-document.ts'

export const NODE_KIND = 'node'
/** Interval of the heartbeats of each node. */
const BEAT_MS = 1_000
/** A node without a heartbeat for this time counts as gone, and its share as free. */
const GONE_MS = 4_000
/**
 * Documents of nodes that are gone are removed after this time. A node that has not announced its
 * end may until then continue: it was frozen, or starved of processor time.
 */
const FORGOTTEN_MS = 60_000

/** A live node. */
export interface LiveNode {
  readonly nodeId: string
  readonly version: string
  /** See `LiveNodesOptions`; nodes of older versions do not say it. */
  readonly terms?: number
  readonly format: number
}

export interface LiveNodesOptions {
  /** Different at each start. */
  readonly nodeId: string
  readonly version: string
  /**
   * The fingerprint of how this node analyses English: between two releases, programs of the same
   * version may differ.
   */
  readonly terms: number
  /** The newest format of the control documents that this node knows. */
  readonly format: number
  /** A clock that never goes back, in milliseconds. */
  readonly nowMs: () => number
  /** Called when beats could not be written or read; both are retried. */
  readonly onFailure: (error: unknown) => void
}

/**
 * The live API nodes of the cluster, by their heartbeats. A beat counts from its arrival by our own
 * clock, so the clocks of the nodes need not agree.
 */
export class LiveNodes {
  readonly #index: ControlIndex
  readonly #options: LiveNodesOptions
  readonly #follower: ControlFollower
  /** Without a node: it has announced its end. */
  readonly #heard = new Map<string, { readonly node?: LiveNode; readonly atMs: number }>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  /** When the cluster accepted our last beat. */
  #heardMs = -Infinity
  /** When it answered one, even if its disks were full. */
  #answeredMs = -Infinity

  private constructor(index: ControlIndex, from: number, options: LiveNodesOptions) {
    this.#index = index
    this.#options = options
    this.#follower = new ControlFollower(index, from, {
      onChanges: (documents) => this.#take(documents),
      onFailure: options.onFailure,
    })
  }

  /** Sends the first heartbeat of this node, and then further ones. */
  static async open(index: ControlIndex, options: LiveNodesOptions): Promise<LiveNodes> {
    const documents = await index.all(NODE_KIND)
    const nodes = new LiveNodes(index, documents.at(-1)?.version.seqNo ?? -1, options)
    nodes.#take(documents)
    await nodes.#beat()
    nodes.#follower.start()
    nodes.#beatSoon()
    return nodes
  }

  /** Includes this node; a node that has ended is missing after at most 4 s. */
  list(): LiveNode[] {
    const { nodeId, version, terms, format } = this.#options
    return [{ nodeId, version, terms, format }, ...this.#heardWithin(GONE_MS)]
  }

  /** Whether no other node runs, or may continue. */
  isAlone(): boolean {
    return this.#notForgotten().length === 0
  }

  /** Whether every node that runs, or may continue, has the version and terms of this one. */
  areAlike(): boolean {
    const { version, terms } = this.#options
    const isAlike = (node: LiveNode): boolean => node.version === version && node.terms === terms
    return this.isHeard() && this.#notForgotten().every(isAlike)
  }

  /** The newest format that every node knows that runs, or may continue. */
  commonFormat(): number {
    const formats = this.#notForgotten().map(({ format }) => format)
    return Math.min(this.#options.format, ...formats)
  }

  /** Whether the cluster accepted one of our last beats. */
  isHeard(): boolean {
    return this.#options.nowMs() - this.#heardMs < GONE_MS
  }

  /**
   * Whether the cluster answered one of our last beats. A full one accepts none, of any node, and
   * answers searches and reads.
   */
  isAnswered(): boolean {
    return this.#options.nowMs() - this.#answeredMs < GONE_MS
  }

  /**
   * Announces the end of this node, so that the others need not wait for its beats to be missed.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#follower.close()
    await this.#write('')
  }

  #notForgotten(): LiveNode[] {
    return this.#heardWithin(FORGOTTEN_MS)
  }

  /** Other nodes, except those that have announced their end. */
  #heardWithin(ms: number): LiveNode[] {
    const since = this.#options.nowMs() - ms
    return [...this.#heard.values()].flatMap(({ node, atMs }) =>
      node !== undefined && atMs >= since ? [node] : [],
    )
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
    const { nodeId, version, terms, format, nowMs, onFailure } = this.#options
    try {
      await this.#write(JSON.stringify({ nodeId, version, terms, format }))
    } catch (error) {
      if (!(error instanceof ClusterError && isDiskFull(error))) throw error
      this.#answeredMs = nowMs()
      onFailure(error)
      return
    }
    this.#heardMs = this.#answeredMs = nowMs()
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
      const atMs = nowMs()
      this.#heard.set(id, json === '' ? { atMs } : { node: JSON.parse(json) as LiveNode, atMs })
    }
  }
}
