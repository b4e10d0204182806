import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, ServerProcess, serviceEntry, ThinClient, until } from '@aisle/testing'
import type { StoreKeys } from '@aisle/testing'
import { Cluster } from '../cluster/cluster.ts'
import type { Release } from '../cluster/distribution.ts'
import { RECOVERY_LIMIT_MS } from './cluster-faults.ts'
import { ClusterLoad } from './cluster-load.ts'
import { CHAOS_FIELDS } from './document.ts'
import { StandingCatalog } from './standing-catalog.ts'

export interface UpgradeOptions {
  /** The entry of the older version. */
  readonly older: string
  readonly seed: number
  readonly release: Release
  /** Of the store that is not written meanwhile. */
  readonly documents: number
  /** Nodes that are killed while stores are rewritten. */
  readonly kills: number
  readonly onStep?: (line: string) => void
}

export interface UpgradeReport {
  writes: number
  reads: number
  /** Searches of the catalog that is not written. */
  checked: number
  /** Documents that had to be rewritten while searches and writes went on. */
  rewritten: number
  readonly problems: string[]
}

const HEAP_MIB = 512
const API_NODES = 2
const WRITERS = 2
const READERS = 2
/** Nodes of two versions beside each other. */
const TOGETHER_MS = 10_000
/** A node is killed while it rewrites, within this time. */
const KILLED_WITHIN_MS = 6_000
const LOOK_MS = 200
/** A node that was killed counts for a minute. */
const REWRITE_LIMIT_MS = 180_000

/**
 * Two API nodes of an older version are replaced one after the other, and killed on the way: the
 * newer one beside the older one, then each of them while it rewrites stores. Every acknowledged
 * write must be stored and found all the time, and every search of a catalog at rest must have the
 * same result.
 */
export async function runUpgrade(options: UpgradeOptions): Promise<UpgradeReport> {
  const { older, seed, release, documents, kills, onStep } = options
  const random = seededRandom(seed)
  const report: UpgradeReport = { writes: 0, reads: 0, checked: 0, rewritten: 0, problems: [] }
  await using cluster = await Cluster.start({ release, nodes: 1, heapMib: HEAP_MIB })
  const nodes: ServerProcess[] = []
  for (let at = 0; at < API_NODES; at++) nodes.push(await startNode(cluster, older))
  const first = new ThinClient(nodes[0]!.url, { adminToken: nodes[0]!.adminToken })
  const keys = await first.createStore({ name: 'written', id: 'written' })
  await first.setSchema(keys, { fields: CHAOS_FIELDS })
  const urls = () => nodes.map(({ url }) => url)
  const load = new ClusterLoad(keys, urls(), random)
  const catalog = await StandingCatalog.create(first, documents)
  first.close()
  const setNode = (at: number, url: string | undefined): void => {
    load.setNode(at, url)
    catalog.setNode(at, url)
  }
  for (const [at, url] of urls().entries()) catalog.setNode(at, url)
  const replace = async (at: number, entry: string, signal: NodeJS.Signals): Promise<void> => {
    setNode(at, undefined)
    process.kill(nodes[at]!.pid, signal)
    await nodes[at]!.stop()
    nodes[at] = await startNode(cluster, entry)
    setNode(at, nodes[at].url)
  }
  const seen = async (what: string): Promise<void> => {
    await load.pause()
    await load.verify()
    load.resume()
    report.problems.push(...load.problems)
    onStep?.(`${what}: ${load.writes} writes, ${catalog.checked} searches so far`)
  }
  try {
    await until('the store on every node', () => isOnAll(urls(), keys))
    load.start(WRITERS, READERS)
    catalog.start()
    const newer = serviceEntry()
    await replace(0, newer, 'SIGTERM')
    await sleep(TOGETHER_MS)
    await seen('an older and a newer node')
    await replace(0, newer, 'SIGKILL')
    await seen('the newer node killed beside the older one')
    await replace(1, newer, 'SIGKILL')
    onStep?.('the older node killed and replaced')
    await until('stores to be rewritten', async () => (await progress(nodes[0]!)).total > 0, {
      timeoutMs: REWRITE_LIMIT_MS,
      pauseMs: LOOK_MS,
    })
    for (let kill = 0; kill < kills && report.problems.length === 0; kill++) {
      await sleep(random() * KILLED_WITHIN_MS)
      const { done, total } = await progress(nodes[0]!)
      report.rewritten = Math.max(report.rewritten, total)
      const at = Math.floor(random() * API_NODES)
      await replace(at, newer, 'SIGKILL')
      await seen(`node ${at} killed after ${done} of ${total} documents`)
    }
    while ((await progress(nodes[0]!)).total > 0) await sleep(LOOK_MS)
    await seen('all stores rewritten')
  } catch (error) {
    report.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  for (const { ended, output } of nodes) {
    if (ended.aborted) report.problems.push(`a node has ended: ${output()}`)
  }
  await load.stop()
  report.problems.push(...(await catalog.stop()))
  for (const node of nodes) await node.stop()
  return Object.assign(report, { writes: load.writes, reads: load.reads, checked: catalog.checked })
}

/** Documents of stores that are being rewritten, and of these those that are done. */
async function progress({
  url,
  adminToken,
}: ServerProcess): Promise<{ done: number; total: number }> {
  const answer = await fetch(`${url}/api/v1/admin/activity`, {
    headers: { authorization: `Bearer ${adminToken}` },
  })
  const { jobs } = (await answer.json()) as {
    jobs: { kind: string; documents_done: number; documents_total: number }[]
  }
  const analyses = jobs.filter(({ kind }) => kind === 'analysis')
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
  return {
    done: sum(analyses.map(({ documents_done: done }) => done)),
    total: sum(analyses.map(({ documents_total: total }) => total)),
  }
}

async function isOnAll(urls: readonly string[], keys: StoreKeys): Promise<boolean> {
  for (const url of urls) {
    using client = new ThinClient(url)
    const search = { q: '*', filter_by: 'version:>0' }
    if ((await client.search(keys, search).catch(() => undefined)) === undefined) return false
  }
  return true
}

function startNode(cluster: Cluster, entry: string): Promise<ServerProcess> {
  return ServerProcess.start({
    entry,
    startLimitMs: RECOVERY_LIMIT_MS,
    environment: { AISLE_OPENSEARCH_URL: cluster.urls.join(','), AISLE_LOG_LEVEL: 'warn' },
  })
}
