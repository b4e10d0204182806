import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServerProcess, ThinClient, type StoreKeys } from '@aisle/testing'
import { AisleClient as AdminClient } from '@aisle/client'
import { restoreSnapshot } from '../../packages/server/src/index.ts'
import { loadBatches } from '../lib/bulk-load.ts'
import { CHAOS_FIELDS, chaosDocument } from './document.ts'

export interface RewriteOptions {
  /** Number of rewrites of each document. */
  readonly rewrites: number
  readonly documents: number
  readonly threads?: number
  /**
   * Pause after the last rewrite and after the start: old versions are removed in two passes, some
   * seconds apart.
   */
  readonly settleMs?: number
  readonly onRewrite?: (rewrite: number, disk: DiskUse) => void
}

/** Bytes allocated by the file system for a data folder. */
export interface DiskUse {
  readonly documents: number
  readonly index: number
}

export interface RewriteReport {
  /** JSON of the documents, as counted by the service. */
  readonly jsonBytes: number
  /** A folder with only the live data: a final snapshot, restored and re-indexed. */
  readonly live: DiskUse
  /** The maximum during writing. */
  readonly peak: DiskUse
  /** After the last rewrite and a pause: long enough to remove old versions and files. */
  readonly end: DiskUse
  /** After a restart of the service. */
  readonly restarted: DiskUse
}

const STORE = 'rewritten'
/** Two passes of the service, and a save of the index. */
const SETTLE_MS = 20_000

/** Rewrites a whole catalog repeatedly, and measures the disk. */
export async function runRewrites(options: RewriteOptions): Promise<RewriteReport> {
  const { rewrites, documents, threads = 2, settleMs = SETTLE_MS, onRewrite } = options
  const environment = { AISLE_LOG_LEVEL: 'warn' }
  let server = await ServerProcess.start({ threads, environment })
  const { dataDir, adminToken } = server
  try {
    const client = new ThinClient(server.url, { adminToken })
    const keys = await client.createStore({ name: STORE, id: STORE })
    await client.setSchema(keys, { fields: CHAOS_FIELDS })
    let peak: DiskUse = { documents: 0, index: 0 }
    for (let rewrite = 0; rewrite <= rewrites; rewrite++) {
      await writeAll(client, keys, documents, rewrite)
      const now = diskUse(dataDir)
      peak = {
        documents: Math.max(peak.documents, now.documents),
        index: Math.max(peak.index, now.index),
      }
      onRewrite?.(rewrite, now)
    }
    await sleep(settleMs)
    const end = diskUse(dataDir)
    client.close()
    await server.stop({ keepData: true })
    server = await ServerProcess.start({ dataDir, threads, environment })
    await sleep(settleMs)
    const restarted = diskUse(dataDir)
    const { jsonBytes, live } = await liveData(server, documents)
    return { jsonBytes, live, peak, end, restarted }
  } finally {
    await server.stop({ keepData: true })
    ServerProcess.removeData(dataDir)
  }
}

async function writeAll(
  client: ThinClient,
  keys: StoreKeys,
  documents: number,
  rewrite: number,
): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    for (let i = 0; i < documents; i++) {
      const data = chaosDocument(rewrite * documents + i)
      yield JSON.stringify({ id: `document-${i}`, data })
    }
  }
  const { indexed, reasons } = await loadBatches(client, keys, lines(), { inFlight: 4 })
  if (indexed !== documents) throw new Error(`${indexed} indexed: ${reasons[0]?.example}`)
}

/** The same data without a history: the minimal size on disk. */
async function liveData(
  { url, adminToken, dataDir }: ServerProcess,
  documents: number,
): Promise<{ jsonBytes: number; live: DiskUse }> {
  const admin = new AdminClient({ url, adminToken })
  const { document_bytes: jsonBytes } = await admin.describeStore(STORE)
  const snapshot = await admin.createSnapshot()
  if (snapshot.documents !== documents) throw new Error(`${snapshot.documents} documents are left`)
  const folder = `${dataDir}-live`
  try {
    await restoreSnapshot(snapshot.folder, folder)
    const fresh = await ServerProcess.start({ dataDir: folder, threads: 1 })
    await fresh.stop()
    return { jsonBytes, live: diskUse(folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Like `du`, because files have holes. */
function diskUse(dataDir: string): DiskUse {
  return { documents: allocated(join(dataDir, 'lmdb')), index: allocated(join(dataDir, 'index')) }
}

const BLOCK_BYTES = 512

function allocated(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    // Index files appear and disappear during counting.
    if (entry.isFile())
      bytes += (statSync(file, { throwIfNoEntry: false })?.blocks ?? 0) * BLOCK_BYTES
  }
  return bytes
}

/** Maximum ratio of the disk to the live data after a start: only a start frees pages. */
const GROWTH_MAX = 2

/** @returns what grew too much */
export function growthProblems(report: RewriteReport): string[] {
  const times = growth(report, 'restarted')
  return times > GROWTH_MAX ? [`The disk has ${times.toFixed(2)} times the live data`] : []
}

function growth(report: RewriteReport, state: State): number {
  const total = ({ documents, index }: DiskUse): number => documents + index
  return total(report[state]) / total(report.live)
}

type State = 'live' | 'peak' | 'end' | 'restarted'

/** @returns a line for each state, with its ratio to the live data */
export function rewriteLines(report: RewriteReport): string[] {
  const mega = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
  const states = (['live', 'peak', 'end', 'restarted'] as const).map((state) => {
    const { documents, index } = report[state]
    const ratio = growth(report, state).toFixed(2)
    return `${state}: ${mega(documents)} documents, ${mega(index)} index, ${ratio} times the live data`
  })
  return [`JSON of the documents: ${mega(report.jsonBytes)}`, ...states]
}
