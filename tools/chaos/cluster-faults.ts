import { setTimeout as sleep } from 'node:timers/promises'
import { ServerProcess, until } from '@aisle/testing'
import type { Cluster } from '../cluster/cluster.ts'

/** The faults of a cluster, with their default counts: the figures of the long campaign. */
export const FAULTS = {
  /** kill -9 of a data node. */
  kills: 100,
  /** SIGSTOP of a data node for some seconds. */
  freezes: 20,
  /** A data node loses the others, or all connections. */
  partitions: 50,
  /** kill -9 of an API node. */
  apiKills: 20,
  /** A rolling graceful restart of all nodes. */
  restarts: 3,
  /** The disks of the cluster are full for a while. */
  fullDisks: 5,
  /** A data node loses the others, or all connections, while the API nodes restart in turn. */
  partitionRestarts: 5,
  /** kill -9 of an API node, which starts again while a data node is frozen. */
  frozenApiKills: 5,
  /** The same while the disks of the cluster are full. */
  fullApiKills: 5,
} as const

export type Fault = keyof typeof FAULTS

/** These require networks of nodes. */
export const NEED_NETWORKS: readonly Fault[] = ['partitions', 'partitionRestarts']

/** Minimum and maximum duration of a fault in milliseconds. */
const LASTS_MS = [1_000, 8_000] as const
const FREEZE_MS = [1_000, 20_000] as const
const STOP_LIMIT_MS = 30_000
/** Long, because a busy machine is not a failure. */
export const RECOVERY_LIMIT_MS = 400_000

/** Called when an API node has ended, or runs again under another address. */
type OnNode = (at: number, url: string | undefined) => void

/** Injects faults into a cluster and its API nodes. */
export class FaultyCluster {
  readonly cluster: Cluster
  readonly nodes: ServerProcess[]
  readonly #random: () => number
  readonly #onNode: OnNode

  private constructor(
    cluster: Cluster,
    nodes: ServerProcess[],
    random: () => number,
    onNode: OnNode,
  ) {
    this.cluster = cluster
    this.nodes = nodes
    this.#random = random
    this.#onNode = onNode
  }

  static async start(
    cluster: Cluster,
    apiNodes: number,
    random: () => number,
    onNode: OnNode,
  ): Promise<FaultyCluster> {
    const nodes: ServerProcess[] = []
    for (let at = 0; at < apiNodes; at++) nodes.push(await startNode(cluster))
    return new FaultyCluster(cluster, nodes, random, onNode)
  }

  /** Injects a fault and repairs it. @returns a description */
  async cause(fault: Fault): Promise<string> {
    return this.#causes[fault]()
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.stop()
  }

  readonly #causes: Readonly<Record<Fault, () => Promise<string>>> = {
    kills: async () => {
      const node = await this.#someNode()
      const process = this.cluster.processes[node]!
      process.signal('SIGKILL')
      await until('the end of a node', () => process.ended)
      const ms = await this.#wait(LASTS_MS)
      process.start()
      return `node ${node} killed, away for ${ms} ms`
    },
    freezes: async () => {
      const node = await this.#someNode()
      const process = this.cluster.processes[node]!
      process.signal('SIGSTOP')
      const ms = await this.#wait(FREEZE_MS)
      process.signal('SIGCONT')
      return `node ${node} frozen for ${ms} ms`
    },
    partitions: () => this.#partition(() => this.#wait(FREEZE_MS)),
    apiKills: () => this.#killApiNode(),
    restarts: async () => {
      for (const node of this.cluster.processes) {
        await node.stop()
        node.start()
        await this.cluster.complete(RECOVERY_LIMIT_MS)
      }
      await this.#restartApiNodes()
      return 'all nodes restarted'
    },
    fullDisks: async () => {
      await this.#block(true)
      const ms = await this.#wait(LASTS_MS)
      await this.#block(null)
      return `disks full for ${ms} ms`
    },
    partitionRestarts: async () =>
      `${await this.#partition(() => this.#restartApiNodes())}, API nodes restarted meanwhile`,
    frozenApiKills: async () => {
      const node = await this.#someNode()
      const process = this.cluster.processes[node]!
      process.signal('SIGSTOP')
      try {
        return `node ${node} frozen, ${await this.#killApiNode()}`
      } finally {
        process.signal('SIGCONT')
      }
    },
    fullApiKills: async () => {
      await this.#block(true)
      try {
        return `disks full, ${await this.#killApiNode()}`
      } finally {
        await this.#block(null)
      }
    },
  }

  /** A node loses the others, or all connections, until the work is done. */
  async #partition(work: () => Promise<unknown>): Promise<string> {
    const { networks } = this.cluster
    if (networks === undefined) throw new Error('This machine allows no networks of nodes')
    const node = await this.#someNode()
    const isSplit = this.#random() < 0.5
    const startMs = performance.now()
    if (isSplit) networks.split(node)
    else networks.cut(node)
    try {
      await work()
    } finally {
      networks.heal()
    }
    const ms = Math.round(performance.now() - startMs)
    return `node ${node} lost ${isSplit ? 'the others' : 'all connections'} for ${ms} ms`
  }

  async #killApiNode(): Promise<string> {
    const at = Math.floor(this.#random() * this.nodes.length)
    process.kill(this.nodes[at]!.pid, 'SIGKILL')
    this.#onNode(at, undefined)
    await this.nodes[at]!.stop()
    await this.#startAgain(at)
    return `API node ${at} killed`
  }

  async #restartApiNodes(): Promise<void> {
    for (const [at, node] of this.nodes.entries()) {
      this.#onNode(at, undefined)
      await node.stop()
      await this.#startAgain(at)
    }
  }

  async #startAgain(at: number): Promise<void> {
    this.nodes[at] = await startNode(this.cluster)
    this.#onNode(at, this.nodes[at].url)
  }

  /** Every third time the cluster manager, the worst node to lose. */
  async #someNode(): Promise<number> {
    const some = Math.floor(this.#random() * this.cluster.urls.length)
    if (this.#random() > 1 / 3) return some
    const rows = (await this.#ask('GET', '_cat/cluster_manager?format=json')) as { node: string }[]
    return Number(rows[0]!.node.split('-')[1])
  }

  /** Like a cluster beyond its last watermark; `null` removes the block. */
  async #block(isFull: true | null): Promise<void> {
    await this.#ask('PUT', 'aisle-*/_settings', { 'index.blocks.read_only_allow_delete': isFull })
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${this.cluster.urls[0]}/${path}`, {
      method,
      signal: AbortSignal.timeout(STOP_LIMIT_MS),
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }

  async #wait([least, most]: readonly [number, number]): Promise<number> {
    const ms = Math.round(least + this.#random() * (most - least))
    await sleep(ms)
    return ms
  }
}

function startNode(cluster: Cluster): Promise<ServerProcess> {
  return ServerProcess.start({
    environment: { AISLE_OPENSEARCH_URL: cluster.urls.join(','), AISLE_LOG_LEVEL: 'warn' },
  })
}
