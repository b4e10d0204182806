import { hash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DiskLogFiles, logNameOf, messageIdHash, RecordBatch, splitRecords } from '@aisle/event-log'
import { createProductIndex, ownIndexName } from '../opensearch/product-index.ts'
import { EventIndex } from '../opensearch/event-index.ts'
import { NumberBlocks } from '../opensearch/number-blocks.ts'
import type { ControlWrite } from '../opensearch/control-document.ts'
import { userDocument } from '../access/access-state.ts'
import { auditDocument } from '../access/audit-documents.ts'
import { searchesDocument } from '../stores/cluster-usage.ts'
import { ownShards } from '../documents/document-keeper.ts'
import { EventAppends } from '../events/event-appends.ts'
import { removalsDocument } from '../events/event-removals.ts'
import { docKeysOf, slotsOf } from '../documents/known-places.ts'
import { NO_SCRIPTS, requireScripts, runsScripts } from '../documents/vector-check.ts'
import { Leases } from '../control/leases.ts'
import { NODE_KIND } from '../control/live-nodes.ts'
import { RESOURCES, STORES } from '../stores/store-documents.ts'
import { copyPage } from '../documents/store-mover.ts'
import {
  OfflineError,
  openSnapshot,
  readSecrets,
  readSnapshot,
  verifySnapshotFolder,
} from '@aisle/server'
import { beginImport, IMPORT_JOB, IMPORT_LEASE_MS, saveImport } from './import-progress.ts'
import type { ImportProgress } from './import-progress.ts'
import type { ClusterConfig, Installation, StoreState } from '@aisle/server'
import { ResourceTable } from '@aisle/server/domain'
import type { Clock } from '@aisle/server/ports'
import { ADMIN_DIGEST } from '@aisle/server/parts'
import { readInstallation, type OpenCluster } from './cluster-installation.ts'
import { differencesOf, entriesOf, fingerprintOf } from './fingerprint.ts'
import { withCluster } from './open-cluster.ts'

export interface ImportOptions {
  readonly clock: Clock
  /** The `secrets.json` of the data folder; without it, visitors and browsers count as new. */
  readonly secretsFile?: string | undefined
  /** Receives the progress at intervals. */
  readonly onProgress?: (text: string) => void
  /** Interval at which the progress is saved; tests save each time. */
  readonly saveMs?: number
}

export interface ImportReport {
  readonly snapshot: string
  readonly stores: number
  readonly documents: number
  readonly users: number
  readonly events: number
  /** Whether it resumed an interrupted import. */
  readonly resumed: boolean
}

/** A running node writes its heartbeat every second. */
const HEARTBEATS_MS = 2_500
/** Audit entries, or events, per request. */
const BATCH = 1_000
/** Interval at which the progress is saved. */
const SAVE_MS = 2_000

/**
 * Imports a snapshot into an empty cluster. Called again, it resumes an interrupted import; nodes
 * do not start until it is complete. At the end, everything is read from both sides and compared.
 *
 * @throws OfflineError with a one-line message
 */
export async function importSnapshot(
  folder: string,
  address: ClusterConfig,
  { clock, secretsFile, onProgress = () => undefined, saveMs = SAVE_MS }: ImportOptions,
): Promise<ImportReport> {
  const { name } = await verifySnapshotFolder(folder)
  const { sha256, events } = readSnapshot(folder)
  const identity = hash('sha256', JSON.stringify([sha256, events]))
  const secrets = secretsFile === undefined ? {} : secretsOf(secretsFile)
  const source = openSnapshot(folder)
  try {
    return await withCluster(address, clock, async (parts) => {
      await refuseLiveNodes(parts)
      const leases = new Leases(parts.index, {
        nodeId: `import ${process.pid}`,
        nowMs: () => performance.now(),
      })
      const lease = await leaseOf(leases, onProgress)
      try {
        const begun = await beginImport(parts.index, { snapshot: name, identity })
        const goesOn = async (): Promise<void> => {
          if (!(await lease.renew())) throw new OfflineError('Another import has taken over')
        }
        const run = new ImportRun(parts, source, {
          progress: begun.progress,
          goesOn,
          onProgress,
          saveMs,
        })
        await parts.settings.setAll(
          new Map([[ADMIN_DIGEST, source.adminDigest], ...Object.entries(secrets)]),
        )
        const report = await run.copy()
        onProgress('Everything is imported; comparing')
        await compare(address, clock, source)
        await run.end()
        return { snapshot: name, ...report, resumed: begun.isResumed }
      } finally {
        await lease.end()
      }
    })
  } finally {
    await source.close()
  }
}

interface RunOptions {
  readonly progress: ImportProgress
  /** Throws if another import has taken over. */
  readonly goesOn: () => Promise<void>
  readonly onProgress: (text: string) => void
  readonly saveMs: number
}

/** Copies missing data. Existing data is skipped, or rewritten unchanged. */
class ImportRun {
  readonly #parts: OpenCluster
  readonly #source: Installation
  readonly #options: RunOptions
  #progress: ImportProgress
  #savedMs = performance.now()

  constructor(parts: OpenCluster, source: Installation, options: RunOptions) {
    this.#parts = parts
    this.#source = source
    this.#options = options
    this.#progress = options.progress
  }

  async copy(): Promise<Omit<ImportReport, 'snapshot' | 'resumed'>> {
    const { index } = this.#parts
    const { users, stores } = this.#source
    for (let from = 0; from < users.length; from += BATCH) {
      const documents = users
        .slice(from, from + BATCH)
        .map((user) => userDocument({ login: user.login, known: undefined, user, sessions: [] }))
      await index.commit(documents.map((put) => ({ put, expected: 'any' })))
    }
    await this.#copyAudit()
    let documents = 0
    let events = 0
    for (const store of stores) {
      documents += await this.#copyStore(store)
      events += await this.#copyEvents(store)
    }
    return { stores: stores.length, documents, users: users.length, events }
  }

  end(): Promise<void> {
    this.#progress = { ...this.#progress, isDone: true, documents: {}, events: {} }
    return saveImport(this.#parts.index, this.#progress)
  }

  async #copyAudit(): Promise<void> {
    for await (const page of this.#source.audit()) {
      const fresh = page.filter(({ id }) => id > this.#progress.auditId)
      if (fresh.length === 0) continue
      const writes = fresh.map((entry): ControlWrite => {
        return { put: auditDocument(entry), expected: 'any' }
      })
      await this.#parts.index.commit(writes)
      await this.#note({ auditId: fresh.at(-1)!.id })
    }
  }

  /** @returns the number of documents */
  async #copyStore(store: StoreState): Promise<number> {
    const { index, documents } = this.#parts
    const { record, resources, schema, searches, nextDocKey } = store
    const { storeId } = record
    const life = hash('sha256', `${this.#progress.identity} ${storeId}`)
    const table = ResourceTable.of(resources)
    await index.commit([
      {
        put: {
          id: `${STORES.kind}:${storeId}`,
          kind: STORES.kind,
          json: STORES.write({ life, record }),
        },
        expected: 'any',
      },
      {
        put: {
          id: `${RESOURCES.kind}:${storeId}`,
          kind: RESOURCES.kind,
          json: RESOURCES.write({ life, table }),
        },
        expected: 'any',
      },
      ...(searches === undefined
        ? []
        : [{ put: searchesDocument(storeId, searches), expected: 'any' as const }]),
    ])
    if (schema === undefined) return 0
    const place = await this.#placeOf(store)
    let count = 0
    const after = this.#progress.documents[storeId] ?? -1
    for await (const page of this.#source.documents(store, after)) {
      const products = page.map(({ id, docKey, inserted = docKey, json, vectors }) => ({
        id,
        docKey,
        inserted,
        operation: `import ${life}`,
        own: vectors,
        json: Buffer.from(json).toString(),
        writtenMs: store.lastWriteMs,
      }))
      await copyPage(documents, place, schema, products)
      count += page.length
      const done = { ...this.#progress.documents, [storeId]: page.at(-1)!.docKey }
      await this.#note({ documents: done }, `${storeId}: ${count} documents`)
    }
    const counter = docKeysOf(storeId)
    const stored = await index.get(NumberBlocks.idOf(counter))
    const missing = nextDocKey - NumberBlocks.nextIn(stored)
    if (missing > 0) await documents.places.takeNumbers(counter, missing)
    return store.docCount
  }

  /** Chooses the place of the documents: a large store gets a separate index at once. */
  async #placeOf(store: StoreState) {
    const { record, schema, language, docCount, documentBytes, lastWriteMs, embedding } = store
    const { cluster, documents, prefix } = this.#parts
    const { places } = documents
    const { storeId } = record
    await places.read([storeId])
    const known = places.known(storeId)?.place
    if (known !== undefined) return known
    await requireScripts(cluster, prefix, schema!.fields)
    if (schema!.spaces !== undefined && !(await runsScripts(cluster, prefix))) {
      throw new OfflineError(
        `Cannot import store "${storeId}", which searches by meaning: ${NO_SCRIPTS}. Set its "semantic" to null before the snapshot`,
      )
    }
    const scope = await places.newScope()
    const shards = ownShards({ docCount, documentBytes })
    const own = { index: ownIndexName(prefix, storeId, scope), routing: undefined }
    if (shards !== undefined) {
      await createProductIndex(cluster, own.index, { shards, isPool: false })
    }
    const where = shards === undefined ? places.poolOf(storeId) : own
    const rules = places.rulesInForce(language, schema!)
    const place = { ...where, scope, slots: slotsOf(schema!, []), language, rules }
    await places.change(storeId, (before) => {
      return { ...before, schema, place, language, embedding, changedMs: lastWriteMs }
    })
    return place
  }

  /** @returns the number of events, including the counts of refused ones */
  async #copyEvents({ record }: StoreState): Promise<number> {
    const { cluster, index, prefix } = this.#parts
    const log = logNameOf(record)
    const files = new DiskLogFiles(join(this.#source.events, log))
    const erased = removalsDocument(log, files)
    if (erased !== undefined) await index.commit([{ put: erased, expected: 'any' }])
    const appends = new EventAppends(new EventIndex(cluster, `${prefix}-events`))
    const done = this.#progress.events[log] ?? 0
    let batch = new RecordBatch()
    let count = 0
    const send = async (): Promise<void> => {
      const records = splitRecords(batch.take()).map(({ bytes, receivedMs, id }) => {
        return { log, record: bytes, receivedMs, id, isWeekBeforeOpen: false }
      })
      batch = new RecordBatch()
      if (records.length === 0) return
      await appends.append(records)
      const events = { ...this.#progress.events, [log]: count }
      await this.#note({ events }, `${record.storeId}: ${count} events`)
    }
    for (const entry of entriesOf(files)) {
      count++
      if (count <= done) continue
      // The id derives from the position in the log, so a repeated import sends the same one.
      batch.add(entry, messageIdHash(`import ${this.#progress.identity} ${log} ${count}`))
      if (batch.count === BATCH) await send()
    }
    await send()
    return count
  }

  async #note(change: Partial<ImportProgress>, text?: string): Promise<void> {
    this.#progress = { ...this.#progress, ...change }
    const { goesOn, onProgress, saveMs } = this.#options
    const nowMs = performance.now()
    if (nowMs - this.#savedMs < saveMs) return
    this.#savedMs = nowMs
    await goesOn()
    await saveImport(this.#parts.index, this.#progress)
    if (text !== undefined) onProgress(text)
  }
}

/** @throws OfflineError */
async function refuseLiveNodes({ index }: OpenCluster): Promise<void> {
  const beats = async (): Promise<string[]> => {
    const found = await index.all(NODE_KIND)
    // Searches see the first beat of a node, and not most of the next ones.
    const nodes = await index.getAll(found.map(({ id }) => id))
    return nodes.map(({ id, version, json }) => `${id} ${version.seqNo} ${json}`)
  }
  const before = new Set(await beats())
  if (before.size === 0) return
  await sleep(HEARTBEATS_MS)
  if ((await beats()).some((beat) => !before.has(beat))) {
    throw new OfflineError('API nodes are running on this cluster: stop them first')
  }
}

/** An interrupted import holds the lease until it expires. */
async function leaseOf(leases: Leases, onProgress: (text: string) => void) {
  const endMs = performance.now() + 2 * IMPORT_LEASE_MS
  for (let isSaid = false; ; isSaid = true) {
    const lease = await leases.take(IMPORT_JOB, IMPORT_LEASE_MS)
    if (lease !== undefined) return lease
    if (performance.now() > endMs) throw new OfflineError('Another import is in progress')
    if (!isSaid) onProgress('Waiting for an import that was interrupted or is in progress')
    await sleep(500)
  }
}

function secretsOf(file: string): Partial<Record<string, string>> {
  if (!existsSync(file)) throw new OfflineError(`There is no file "${file}"`)
  try {
    return { ...readSecrets(file) }
  } catch (error) {
    throw new OfflineError((error as Error).message, { cause: error })
  }
}

/** Reads everything from both sides. @throws OfflineError */
async function compare(address: ClusterConfig, clock: Clock, source: Installation): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-import-'))
  try {
    const expected = await fingerprintOf(source)
    // Reopened, so that it reads the stored state, not the state of this process.
    const found = await withCluster(address, clock, async (parts) =>
      fingerprintOf(await readInstallation(parts, folder)),
    )
    const differences = differencesOf(expected, found)
    if (differences.length === 0) return
    throw new OfflineError(`The cluster differs from the snapshot: ${differences.join('; ')}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
