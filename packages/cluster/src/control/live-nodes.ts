import { ClusterError, isDiskFull } from '../opensearch/cluster-error.ts'
import { ControlFollower } from '../opensearch/control-follower.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import type { ControlVersion, StoredControl } from '../opensearch/control-document.ts'

export const NODE_KIND = 'node'
/** Interval of the heartbeats of each node, and at which it reads those of others. */
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
  /** Whether it reads beats that searches do not see yet; nodes of older versions do not. */
  readonly readsBeats?: boolean
}

interface Heard {
  /** Absent: it has announced its end. */
  readonly node?: LiveNode
  /** When its last beat arrived, by our clock. */
  readonly atMs: number
  readonly version: ControlVersion
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
 *
 * Its first beat, and the first one after a silence, are visible to searches, by which the others
 * find a node. They read the next ones by their id. To show each to searches would cost an idle
 * cluster more than all else that a node does, so that is done only while nodes of older versions
 * run.
 */
export class LiveNodes {
  readonly #index: ControlIndex
  readonly #options: LiveNodesOptions
  readonly #follower: ControlFollower
  /** By the id of their documents, other nodes only. */
  readonly #heard = new Map<string, Heard>()
  readonly #timers = new Set<NodeJS.Timeout>()
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
    nodes.#repeat(() => nodes.#beat())
    nodes.#repeat(() => nodes.#listen())
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
    for (const timer of this.#timers) clearTimeout(timer)
    this.#follower.close()
    await this.#write('', true)
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

  #repeat(action: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void action()
        .catch(this.#options.onFailure)
        .then(() => {
          if (!this.#isClosed) this.#repeat(action)
        })
    }, BEAT_MS).unref()
    this.#timers.add(timer)
  }

  async #beat(): Promise<void> {
    const { nodeId, version, terms, format, nowMs, onFailure } = this.#options
    // Others may have missed this node, or forgotten it, if its last beat is not recent.
    const isShown = !this.isHeard() || !this.#notForgotten().every(({ readsBeats }) => readsBeats)
    try {
      const node: LiveNode = { nodeId, version, terms, format, readsBeats: true }
      await this.#write(JSON.stringify(node), isShown)
    } catch (error) {
      if (!(error instanceof ClusterError && isDiskFull(error))) throw error
      this.#answeredMs = nowMs()
      onFailure(error)
      return
    }
    this.#heardMs = this.#answeredMs = nowMs()
  }

  /** Reads the beats of the known nodes, and removes the documents of those that are gone. */
  async #listen(): Promise<void> {
    if (this.#heard.size === 0) return
    const documents = await this.#index.getAll([...this.#heard.keys()])
    this.#take(documents)
    const since = this.#options.nowMs() - FORGOTTEN_MS
    const isGone = (id: string): boolean => this.#heard.get(id)!.atMs < since
    const gone = documents.filter(({ id }) => isGone(id))
    // One that has continued meanwhile keeps its document, and is heard next time.
    await this.#index.commit(gone.map(({ id, version }) => ({ remove: id, expected: version })))
    const there = new Set(documents.map(({ id }) => id))
    for (const id of [...this.#heard.keys()].filter(isGone)) {
      if (!there.has(id)) this.#heard.delete(id)
    }
  }

  async #write(json: string, isShown: boolean): Promise<void> {
    const id = `${NODE_KIND}:${this.#options.nodeId}`
    // Nobody else writes this document.
    await this.#index.commit([{ put: { id, kind: NODE_KIND, json }, expected: 'any' }], isShown)
  }

  #take(documents: readonly StoredControl[]): void {
    const { nodeId, nowMs } = this.#options
    for (const { id, kind, json, version } of documents) {
      if (kind !== NODE_KIND || id === `${NODE_KIND}:${nodeId}`) continue
      // A search may see a beat later than it was read.
      const known = this.#heard.get(id)
      if (known !== undefined && known.version.seqNo >= version.seqNo) continue
      const heard = { atMs: nowMs(), version }
      this.#heard.set(id, json === '' ? heard : { ...heard, node: JSON.parse(json) as LiveNode })
    }
  }
}
