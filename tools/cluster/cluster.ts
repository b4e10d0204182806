import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, until } from '@aisle/testing'
import { distributionOf } from './distribution.ts'
import type { Release } from './distribution.ts'
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
}

/** How long a cluster may take to have all its nodes, on a busy machine. */
const START_LIMIT_MS = 120_000
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
  readonly #folder: string

  private constructor(
    folder: string,
    urls: readonly string[],
    processes: readonly NodeProcess[],
    logFile: string,
  ) {
    this.#folder = folder
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
  }: ClusterOptions = {}): Promise<Cluster> {
    const distribution = distributionOf(release)
    const folder = mkdtempSync(join(tmpdir(), 'aisle-cluster-'))
    const places = await Promise.all(Array.from({ length: nodes }, () => place()))
    const homes = places.map((_, at) => writeHome(folder, at, places))
    const groups = processes === 'one' ? [homes] : homes.map((home) => [home])
    const logFile = join(folder, 'cluster.log')
    const jvm = [
      `-Xms${heapMib}m`,
      `-Xmx${heapMib}m`,
      ...(quickStart ? ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'] : []),
    ]
    const cluster = new Cluster(
      folder,
      places.map(({ httpPort }) => `http://127.0.0.1:${httpPort}`),
      groups.map((group) => new NodeProcess(distribution, { jvm, homes: group, logFile })),
      logFile,
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
  async complete(): Promise<void> {
    const health = `_cluster/health?wait_for_nodes=${this.urls.length}&wait_for_status=green&timeout=1s`
    const options = { timeoutMs: START_LIMIT_MS, pauseMs: 50 }
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

  /** Ends all nodes and removes their data. */
  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()))
    rmSync(this.#folder, { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}

interface Place {
  readonly httpPort: number
  readonly transportPort: number
}

async function place(): Promise<Place> {
  const [httpPort, transportPort] = await Promise.all([freePort(), freePort()])
  return { httpPort, transportPort }
}

/** Writes the settings of a node. @returns its folder */
function writeHome(folder: string, at: number, places: readonly Place[]): string {
  const home = join(folder, `node-${at}`)
  const { httpPort, transportPort } = places[at]!
  const settings = {
    'cluster.name': 'aisle-test',
    'node.name': `node-${at}`,
    'network.host': '127.0.0.1',
    'http.port': httpPort,
    'transport.port': transportPort,
    'discovery.seed_hosts': places.map((one) => `127.0.0.1:${one.transportPort}`),
    'cluster.initial_cluster_manager_nodes': places.map((_, i) => `node-${i}`),
    'action.auto_create_index': false,
    // A developer's disk may be fuller than a server's should be.
    'cluster.routing.allocation.disk.threshold_enabled': false,
    'node.store.allow_mmap': false,
    // A frozen node is given up after 3 to 5 seconds rather than 30.
    'cluster.fault_detection.leader_check.timeout': '1500ms',
    'cluster.fault_detection.leader_check.retry_count': 2,
    'cluster.fault_detection.follower_check.timeout': '1500ms',
    'cluster.fault_detection.follower_check.retry_count': 2,
    'cluster.publish.timeout': '5s',
  }
  mkdirSync(join(home, 'config'), { recursive: true })
  // JSON is YAML.
  writeFileSync(join(home, 'config', 'opensearch.yml'), JSON.stringify(settings))
  return home
}
