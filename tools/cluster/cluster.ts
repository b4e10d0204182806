import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, until } from '@aisle/testing'
import { distributionOf, type Release } from './distribution.ts'
import { NodeNetworks } from './node-networks.ts'
import { NodeProcess } from './node-process.ts'

export interface ClusterOptions {
  readonly release?: Release
  /** Number of nodes. */
  readonly nodes?: number
  /** One process for all nodes is small and fast; one per node allows kills. */
  readonly processes?: 'one' | 'each'
  /** Heap of each process. */
  readonly heapMib?: number
  /** Starts faster but stays slower: not for benchmarks. */
  readonly quickStart?: boolean
  /** A network per node, so that it can be isolated; requires a process per node. */
  readonly networks?: boolean
}

/** Timeout until a cluster has all its nodes, on a busy machine. */
const START_LIMIT_MS = 300_000
/** Bytes of the log in the error if a cluster does not start. */
const LOG_SHOWN_MAX = 4_000

/**
 * A real OpenSearch cluster on this machine, on free ports, with its data in a temporary folder. It
 * ends with `stop`, or with this process in any case.
 */
export class Cluster implements AsyncDisposable {
  /** URL of each node. */
  readonly urls: readonly string[]
  /** In the order of `urls`; a single one if all nodes share it. */
  readonly processes: readonly NodeProcess[]
  /** Log of all nodes. Deleted with the data. */
  readonly logFile: string
  /** Undefined if not requested, or not allowed. */
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

  /** @throws NoClusterError if none can be started; Error with the log if it does not start */
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
      let last = 'no answer'
      await until(
        () => `${url} in a green cluster, which says ${last}`,
        async () => {
          const dead = this.processes.find(({ ended }) => ended)
          if (dead !== undefined) throw new Error('A process of the cluster has ended')
          try {
            const answer = await fetch(`${url}/${health}`)
            last = await answer.text()
            return answer.ok
          } catch {
            return false
          }
        },
        options,
      )
    }
  }

  /** Creates a snapshot repository on this disk, deleted with the data. */
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

  /** Stops all nodes and removes their data. */
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

/** @param host in a separate network, or a free address of this machine */
async function place(host?: string): Promise<Place> {
  if (host !== undefined) return { host, httpPort: 9200, transportPort: 9300 }
  const [httpPort, transportPort] = await Promise.all([freePort(), freePort()])
  return { host: '127.0.0.1', httpPort, transportPort }
}

/**
 * Writes the settings of a node.
 * @param collectsLate whether its heap fills up with garbage before collection, which must not
 * count as memory of requests: the node would refuse further ones
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
    // All nodes may create snapshots below it.
    'path.repo': [join(folder, 'snapshots')],
    // A developer's disk may be fuller than a server's should be.
    'cluster.routing.allocation.disk.threshold_enabled': false,
    'node.store.allow_mmap': false,
    // An isolated node misses newer writes, so it must not answer reads either.
    'cluster.no_cluster_manager_block': 'all',
    // A frozen node is dropped after 3 to 5 seconds rather than 30.
    'cluster.fault_detection.leader_check.timeout': '1500ms',
    'cluster.fault_detection.leader_check.retry_count': 2,
    'cluster.fault_detection.follower_check.timeout': '1500ms',
    'cluster.fault_detection.follower_check.retry_count': 2,
    'cluster.publish.timeout': '5s',
    // A recovery that waits for a response which was lost begins again, rather than in 30 minutes.
    'indices.recovery.recovery_activity_timeout': '30s',
    // Words with many meanings in many fields: the default is 1,024.
    'indices.query.bool.max_clause_count': 4_096,
    'indices.breaker.total.use_real_memory': !collectsLate,
  }
  mkdirSync(join(home, 'config'), { recursive: true })
  // JSON is valid YAML.
  writeFileSync(join(home, 'config', 'opensearch.yml'), JSON.stringify(settings))
  return home
}
