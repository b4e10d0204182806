import { seededRandom, ThinClient, until } from '@aisle/testing'
import { Cluster } from '../cluster/cluster.ts'
import type { Release } from '../cluster/distribution.ts'
import { FaultyCluster, NEED_NETWORKS, RECOVERY_LIMIT_MS, type Fault } from './cluster-faults.ts'
import { ClusterLoad } from './cluster-load.ts'
import { CHAOS_FIELDS } from './document.ts'

export interface ClusterChaosOptions {
  readonly faults: Readonly<Record<Fault, number>>
  readonly seed: number
  readonly release?: Release
  /** Three nodes with a process each, still running afterwards; default: a new cluster. */
  readonly cluster?: Cluster
  /** No further fault starts after this time. */
  readonly limitMs?: number
  readonly onFault?: (line: string) => void
}

export interface FaultFigures {
  count: number
  /**
   * The longest times without an acknowledged write and without an answered read, for each fault,
   * in milliseconds.
   */
  readonly writeGaps: number[]
  readonly readGaps: number[]
}

export interface ClusterChaosReport {
  readonly faults: Map<Fault, FaultFigures>
  writes: number
  reads: number
  /** Requests without a success. */
  failures: number
  longestMs: number
  readonly problems: string[]
}

const NODES = 3
const API_NODES = 2
const HEAP_MIB = 512
const STORES = ['one', 'two']
const WRITERS = 2
const READERS = 2
/** Writes that must succeed after a fault before it is over. */
const WRITES_AFTER = 20

/**
 * A cluster with one process per node, API nodes, writers and readers that remember every answer,
 * and one fault after the other. After each fault every acknowledged write must be stored and
 * searchable on every API node.
 */
export async function runClusterChaos(options: ClusterChaosOptions): Promise<ClusterChaosReport> {
  const { faults, seed, release = '2.19', limitMs = Infinity, onFault } = options
  const random = seededRandom(seed)
  const report: ClusterChaosReport = {
    faults: new Map(),
    writes: 0,
    reads: 0,
    failures: 0,
    longestMs: 0,
    problems: [],
  }
  const endMs = performance.now() + limitMs
  const networks = NEED_NETWORKS.some((fault) => faults[fault] > 0)
  await using own =
    options.cluster === undefined
      ? await Cluster.start({
          release,
          nodes: NODES,
          processes: 'each',
          heapMib: HEAP_MIB,
          networks,
        })
      : undefined
  const cluster = options.cluster ?? own!
  const loads: ClusterLoad[] = []
  const faulty = await FaultyCluster.start(cluster, API_NODES, random, (at, url) => {
    for (const load of loads) load.setNode(at, url)
  })
  try {
    for (const id of STORES) loads.push(await startLoad(faulty, id, random))
    await cluster.complete()
    const isLinked = !networks || cluster.networks !== undefined
    if (!isLinked) onFault?.('NO PARTITIONS: networks of nodes require root on Linux')
    const possible = isLinked ? faults : { ...faults, partitions: 0, partitionRestarts: 0 }
    for (const fault of shuffled(possible, random)) {
      if (performance.now() > endMs || report.problems.length > 0) break
      const before = writesOf(loads)
      await until('writes', () => writesOf(loads) > before + WRITES_AFTER, recovery)
      for (const load of loads) load.resume()
      const what = await faulty.cause(fault)
      await survive(cluster, loads)
      const figures = figuresOf(report, fault)
      const writeGap = Math.round(Math.max(...loads.map((load) => load.writeGap.ms)))
      const readGap = Math.round(Math.max(...loads.map((load) => load.readGap.ms)))
      figures.count++
      figures.writeGaps.push(writeGap)
      figures.readGaps.push(readGap)
      await verifyAll(loads)
      report.problems.push(...loads.flatMap((load) => load.problems))
      report.writes = writesOf(loads)
      report.reads = sum(loads.map((load) => load.reads))
      report.failures = sum(loads.map((load) => load.failures))
      report.longestMs = Math.max(...loads.map((load) => load.longestMs))
      onFault?.(`${what}: ${writeGap} ms without a write, ${readGap} ms without a read`)
    }
  } catch (error) {
    report.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  for (const load of loads) await load.stop()
  await faulty.stop()
  return report
}

export function clusterChaosLines(report: ClusterChaosReport): string[] {
  const { writes, reads, failures, longestMs } = report
  return [
    ...[...report.faults].map(
      ([fault, { count, writeGaps, readGaps }]) =>
        `${count} ${fault}: without a write ${middle(writeGaps)} ms, at most ${Math.max(...writeGaps)}; ` +
        `without a read ${middle(readGaps)} ms, at most ${Math.max(...readGaps)}`,
    ),
    `${writes} writes acknowledged, ${reads} reads, ${failures} requests without a success, ` +
      `the longest took ${Math.round(longestMs)} ms, ${report.problems.length} problems`,
  ]
}

const recovery = { timeoutMs: RECOVERY_LIMIT_MS, pauseMs: 50 }

async function startLoad(
  { nodes }: FaultyCluster,
  id: string,
  random: () => number,
): Promise<ClusterLoad> {
  const { url, adminToken } = nodes[0]!
  const client = new ThinClient(url, { adminToken })
  const keys = await client.createStore({ name: id, id })
  await client.setSchema(keys, { fields: CHAOS_FIELDS })
  // The other nodes know it, and its schema, within a second.
  for (const node of nodes) {
    const other = new ThinClient(node.url)
    const search = { q: '*', filter_by: 'version:>0' }
    await until('the store', () => other.search(keys, search).catch(() => undefined))
    other.close()
  }
  client.close()
  const urls = nodes.map((node) => node.url)
  const load = new ClusterLoad(keys, urls, random)
  load.start(WRITERS, READERS)
  return load
}

/** Resolves when the cluster has all its copies again and writes succeed. */
async function survive(cluster: Cluster, loads: readonly ClusterLoad[]): Promise<void> {
  await cluster.complete(RECOVERY_LIMIT_MS)
  for (const load of loads) {
    const before = load.writes
    await until('writes after a fault', () => load.writes > before + WRITES_AFTER, recovery)
  }
}

async function verifyAll(loads: readonly ClusterLoad[]): Promise<void> {
  await Promise.all(loads.map((load) => load.pause()))
  for (const load of loads) await load.verify()
  for (const load of loads) load.resume()
}

/** Every fault with its count, in random order. */
function shuffled(faults: Readonly<Record<Fault, number>>, random: () => number): Fault[] {
  const all = Object.entries(faults).flatMap(([fault, count]) =>
    Array.from({ length: count }, () => ({ fault: fault as Fault, at: random() })),
  )
  return all.toSorted((a, b) => a.at - b.at).map(({ fault }) => fault)
}

function figuresOf({ faults }: ClusterChaosReport, fault: Fault): FaultFigures {
  let figures = faults.get(fault)
  if (figures === undefined) {
    faults.set(fault, (figures = { count: 0, writeGaps: [], readGaps: [] }))
  }
  return figures
}

function writesOf(loads: readonly ClusterLoad[]): number {
  return sum(loads.map((load) => load.writes))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
