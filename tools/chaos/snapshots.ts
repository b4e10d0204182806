import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServerProcess, type StoreKeys } from '@aisle/testing'
import { AisleClient } from '@aisle/client'
import { restoreSnapshot } from '../../packages/server/src/index.ts'
import { chaosDocument, versionOf } from './document.ts'
import { adminOf, createSoakStore } from './soak-loads.ts'
import { StoreClient } from './store-client.ts'

export interface SnapshotOptions {
  readonly snapshots: number
  readonly threads?: number
  readonly onSnapshot?: (report: SnapshotReport) => void
}

export interface SnapshotReport {
  snapshots: number
  /** Total number of documents in restored services. */
  documents: number
  readonly problems: string[]
}

/** Documents per write of each writer: bulk calls and single ones. */
const WRITER_BATCHES = [200, 50, 7, 1]
const BETWEEN_MS = 300
const PAUSE_MS = 20

/**
 * Takes snapshots during writes at full speed, restores each beside the running service, which
 * rests meanwhile, and queries a separate service. A snapshot must be consistent: of each writer,
 * which numbers its calls, it must contain all calls up to one and none after it, and everything
 * acknowledged before it was requested.
 */
export async function runSnapshots(options: SnapshotOptions): Promise<SnapshotReport> {
  const { snapshots, threads = 2, onSnapshot } = options
  const report: SnapshotReport = { snapshots: 0, documents: 0, problems: [] }
  const environment = { AISLE_LOG_LEVEL: 'warn', AISLE_SNAPSHOT_KEEP: '1' }
  const server = await ServerProcess.start({ threads, environment })
  const keys = await createSoakStore(server, 'written')
  /** Acknowledged calls of each writer. */
  const answered = WRITER_BATCHES.map(() => 0)
  let [isOver, isExamining] = [false, false]
  const clients = WRITER_BATCHES.map(() => new StoreClient(server.url, keys))
  const writers = WRITER_BATCHES.map(async (size, w) => {
    while (!isOver) {
      if (isExamining) {
        await sleep(PAUSE_MS)
        continue
      }
      const call = answered[w]!
      const entries = Array.from({ length: size }, (_, i) => ({
        id: `w${w}-${call}-${i}`,
        data: chaosDocument(call * size + i),
      }))
      if (!(await clients[w]!.bulk(entries, call % 2 === 0))) throw new Error('a write was refused')
      answered[w] = call + 1
    }
  })
  try {
    while (report.snapshots < snapshots && report.problems.length === 0) {
      await Promise.race([sleep(BETWEEN_MS), ...writers])
      const before = [...answered]
      const { folder } = await adminOf(server).createSnapshot()
      isExamining = true
      // One call of each may be in flight.
      const after = answered.map((calls) => calls + 1)
      report.problems.push(...(await examine(folder, keys, { before, after }, report)))
      isExamining = false
      report.snapshots++
      onSnapshot?.(report)
    }
  } finally {
    isOver = true
    await Promise.all(writers)
    for (const client of clients) client.close()
    await server.stop()
  }
  return report
}

/** Restores a snapshot and starts a service with it. @returns problems */
async function examine(
  folder: string,
  keys: StoreKeys,
  { before, after }: { readonly before: readonly number[]; readonly after: readonly number[] },
  report: SnapshotReport,
): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'aisle-'))
  await restoreSnapshot(folder, dataDir)
  const restored = await ServerProcess.start({ dataDir, threads: 1 })
  try {
    const { readSecret, writeSecret } = keys
    const store = new AisleClient({ url: restored.url, readSecret, writeSecret }).store(
      keys.storeId,
    )
    const problems: string[] = []
    const found = WRITER_BATCHES.map(() => new Map<number, number>())
    let documents = 0
    const { lines } = await store.exportDocuments()
    for await (const line of lines) {
      documents++
      const { id, data } = JSON.parse(line) as { id: string; data: Record<string, unknown> }
      const version = versionOf(data)
      if (typeof version === 'string') problems.push(`${id}: ${version}`)
      const [, w, call] = /^w(\d+)-(\d+)-/.exec(id)!.map(Number)
      found[w!]!.set(call!, (found[w!]!.get(call!) ?? 0) + 1)
    }
    for (const [w, calls] of found.entries()) {
      for (let call = 0; call < calls.size; call++) {
        const count = calls.get(call) ?? 0
        if (count !== WRITER_BATCHES[w])
          problems.push(`call ${call} of writer ${w}: ${count} documents`)
      }
      if (calls.size < before[w]! || calls.size > after[w]!) {
        problems.push(`writer ${w}: ${calls.size} calls, not ${before[w]} to ${after[w]}`)
      }
    }
    const { found: searched } = await store.search({ q: '*', per_page: 0 })
    if (searched !== documents) problems.push(`${documents} documents, ${searched} are found`)
    report.documents += documents
    return problems.slice(0, 10)
  } finally {
    await restored.stop()
    ServerProcess.removeData(dataDir)
  }
}
