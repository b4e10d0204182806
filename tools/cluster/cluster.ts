import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, until } from '@aisle/testing'
import { distributionOf } from './distribution.ts'
import type { Release } from './distribution.ts'
import { NodeNetworks } from './node-networks.ts'
import { NodeProcess } from './node-process.ts'

export interface ClusterOptions {
  readonly release?: Release
  /** Number of nodes. */
  readonly nodes?: number
  /** One process for all of them is small and quick; one for each, and they can be killed. */
  readonly processes?: 'one' | 'each'
  /** Of each process. */
  readonly heapMib?: number
  /** Starts sooner and stays slower: not for benchmarks. */
  readonly quickStart?: boolean
  /** A network for each node, which must have a process of its own, so that it can be cut off. */
  readonly networks?: boolean
}

/** How long a cluster may take to have all its nodes, on a busy machine. */
const START_LIMIT_MS = 300_000
/** Bytes of the log that are shown when a cluster does not start. */
const LOG_SHOWN_MAX = 4_000

/**
 * A real OpenSearch cluster on this machine, on free ports, with its data in a temporary folder. It
 * ends with `stop`, and with this process however that ends.
 */
export class Cluster implements AsyncDisposable {
  /** Of each node. */
  readonly urls: readonly string[]
  /** In the order of `urls`; a single one when all nodes share it. */
  readonly processes: readonly NodeProcess[]
  /** What all nodes say. It goes with the data. */
  readonly logFile: string
  /** Undefined where they were not asked for, or are not allowed. */
  readonly networks: NodeNetworks | undefined
  readonly #folder: string

  private constructor(
    folder: string,
    urls: readonly string[],
    processes: readonly NodeProcess[],
    logFile: string,
    networks: NodeNetworks | undefined,
  ) {
    this.#folder = folder
    this.networks = networks
    this.urls = urls
    this.processes = processes
    this.logFile = logFile
  }

  /** @throws NoClusterError where none can be started; Error with the log when it does not start */
  static async start({
    release = '2.19',
    nodes = 3,
    processes = 'one',
    heapMib = 1_024,
    quickStart = true,
    networks: withNetworks = false,
  }: ClusterOptions = {}): Promise<Cluster> {
    const distribution = distributionOf(release)
    const folder = mkdtempSync(join(tmpdir(), 'aisle-cluster-'))
    const networks = withNetworks ? NodeNetworks.create(nodes) : undefined
    const places = await Promise.all(
      Array.from({ length: nodes }, (_, at) => place(networks?.addressOf(at))),
    )
    const homes = places.map((_, at) => writeHome(folder, at, places, quickStart))
    const groups = processes === 'one' ? [homes] : homes.map((home) => [home])
    const logFile = join(folder, 'cluster.log')
    const jvm = [
      `-Xms${heapMib}m`,
      `-Xmx${heapMib}m`,
      ...(quickStart ? ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'] : []),
    ]
    const cluster = new Cluster(
      folder,
      places.map(({ host, httpPort }) => `http://${host}:${httpPort}`),
      groups.map((group, at) => {
        const within = networks?.commandOf(at) ?? []
        return new NodeProcess(distribution, { jvm, homes: group, logFile, within })
      }),
      logFile,
      networks,
    )
    try {
      for (const process of cluster.processes) process.start()
      await cluster.complete()
      return cluster
    } catch (error) {
      const log = readFileSync(logFile, 'utf8').slice(-LOG_SHOWN_MAX)
      await cluster.stop()
      throw new Error(`OpenSearch did not start; its log ends with\n${log}`, { cause: error })
    }
  }

  /** Resolves when each node sees all others and every shard has its copies. */
  async complete(timeoutMs = START_LIMIT_MS): Promise<void> {
    const health = `_cluster/health?wait_for_nodes=${this.urls.length}&wait_for_status=green&timeout=1s`
    const options = { timeoutMs, pauseMs: 50 }
    for (const url of this.urls) {
      await until(
        `${url} in a green cluster`,
        async () => {
          const dead = this.processes.find(({ ended }) => ended)
          if (dead !== undefined) throw new Error('A process of the cluster has ended')
          return fetch(`${url}/${health}`).then(
            ({ ok }) => ok,
            () => false,
          )
        },
        options,
      )
    }
  }

  /** Makes a repository of snapshots on this disk, which goes with the data. */
  async registerSnapshots(name: string): Promise<void> {
    const location = join(this.#folder, 'snapshots', name)
    mkdirSync(location, { recursive: true })
    const answer = await fetch(`${this.urls[0]}/_snapshot/${name}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'fs', settings: { location } }),
    })
    if (!answer.ok) throw new Error(`No repository for snapshots: ${await answer.text()}`)
  }

  /** Ends all nodes and removes their data. */
  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()))
    this.networks?.remove()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}

interface Place {
  readonly host: string
  readonly httpPort: number
  readonly transportPort: number
}

/** @param host in a network of its own, or a free place of this machine */
async function place(host?: string): Promise<Place> {
  if (host !== undefined) return { host, httpPort: 9200, transportPort: 9300 }
  const [httpPort, transportPort] = await Promise.all([freePort(), freePort()])
  return { host: '127.0.0.1', httpPort, transportPort }
}

/**
 * Writes the settings of a node.
 * @param collectsLate whether its heap fills up with garbage before that is collected, which must
 *   not be taken for memory that requests hold: the node would refuse further ones
 * @returns its folder
 */
function writeHome(
  folder: string,
  at: number,
  places: readonly Place[],
  collectsLate: boolean,
): string {
  const home = join(folder, `node-${at}`)
  const { host, httpPort, transportPort } = places[at]!
  const settings = {
    'cluster.name': 'aisle-test',
    'node.name': `node-${at}`,
    'network.host': host,
    'http.port': httpPort,
    'transport.port': transportPort,
    'discovery.seed_hosts': places.map((one) => `${one.host}:${one.transportPort}`),
    'cluster.initial_cluster_manager_nodes': places.map((_, i) => `node-${i}`),
    'action.auto_create_index': false,
    // Snapshots may be made below it, by all nodes.
    'path.repo': [join(folder, 'snapshots')],
    // A developer's disk may be fuller than a server's should be.
    'cluster.routing.allocation.disk.threshold_enabled': false,
    'node.store.allow_mmap': false,
    // A node that has lost the others knows no newer writes: it shall not answer reads either.
    'cluster.no_cluster_manager_block': 'all',
    // A frozen node is given up after 3 to 5 seconds rather than 30.
    'cluster.fault_detection.leader_check.timeout': '1500ms',
    'cluster.fault_detection.leader_check.retry_count': 2,
    'cluster.fault_detection.follower_check.timeout': '1500ms',
    'cluster.fault_detection.follower_check.retry_count': 2,
    'cluster.publish.timeout': '5s',
    // Words with many meanings in many fields: 1,024 by default.
    'indices.query.bool.max_clause_count': 4_096,
    'indices.breaker.total.use_real_memory': !collectsLate,
  }
  mkdirSync(join(home, 'config'), { recursive: true })
  // JSON is YAML.
  writeFileSync(join(home, 'config', 'opensearch.yml'), JSON.stringify(settings))
  return home
}
