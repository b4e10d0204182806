import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { memoryFolder } from '@aisle/testing'
import type { CatalogPorts } from '../../../ports/catalog/catalog-fixture.ts'
import type { ActivityKeeper } from '../../../ports/host/activity-keeper.ts'
import {
  AccessControl,
  type AccessControlOptions,
} from '../../../services/access/access-control.ts'
import { LmdbAccessStore } from '../../lmdb/access-store.ts'
import { Committer } from '../../lmdb/committer.ts'
import { LmdbDocumentReader } from '../../lmdb/document-reader.ts'
import { LmdbDocumentStore } from '../../lmdb/document-store.ts'
import { LmdbEditJournal } from '../../lmdb/edit-journal.ts'
import { openEnvironment } from '../../lmdb/environment.ts'
import { DocumentRows } from '../../lmdb/rows.ts'
import { FolderSnapshotReader } from '../../lmdb/snapshot-reader.ts'
import { SnapshotFolder } from '../../lmdb/snapshot-folder.ts'
import type { AccessDirectory, AuditReader } from '../../../ports/access/access-directory.ts'
import type { AccessKeeper } from '../../../ports/access/access-keeper.ts'
import type { Clock } from '../../../ports/host/clock.ts'
import type { SearchUsage } from '../../../ports/search/search-usage.ts'
import type { EditJournal } from '../../../ports/catalog/edit-journal.ts'
import type { SnapshotReader } from '../../../ports/catalog/snapshot-reader.ts'
import type { SnapshotKeeper } from '../../../ports/catalog/snapshot-keeper.ts'
import type { Embedders } from '../../../ports/search/embedder.ts'
import { CommandClient } from '../command-client.ts'
import { serveCommands } from '../command-server.ts'
import { createGeneration } from '../generation.ts'
import { createIndexHost, type IndexDisk } from '../index-host.ts'
import { createPressure } from '../pressure.ts'
import { Publisher } from '../publisher.ts'
import { replicaPorts } from '../replica-ports.ts'
import { Replica } from '../replica.ts'
import { EmbeddedSearchBackend } from '../search-backend.ts'
import { createSearcher } from '../lazy-searcher.ts'
import { EmbeddedWriter } from '../writer.ts'
import { shareIndexThread } from './shared-index-thread.ts'

const SYSTEM_CLOCK: Clock = { now: () => Date.now() }

export interface EmbeddedCatalog extends CatalogPorts, AsyncDisposable {
  readonly folder: string
  readonly edits: EditJournal
  readonly snapshots: SnapshotKeeper
  readonly snapshotReader: SnapshotReader
  readonly access: AccessKeeper
  readonly directory: AccessDirectory
  readonly audit: AuditReader
  readonly usage: SearchUsage
  /** Warnings and errors that the writer has logged. */
  readonly log: readonly string[]
  /** Ends it as a process would, keeping the files. */
  close(): Promise<void>
  /** Ends it as a crash would: nothing is finished or saved. */
  kill(): Promise<void>
  /** A pass of the reaper, which a service makes every few seconds. */
  reap(): Promise<void>
}

export interface EmbeddedCatalogOptions {
  readonly reanalysisDocuments?: number
  readonly embedders?: Embedders
  readonly disk?: IndexDisk
  readonly clock?: Clock
  readonly access?: Partial<AccessControlOptions>
}

/**
 * The ports as a serving thread has them, in one thread with the writer, everything between
 * them real: document file, index files, publications, commands.
 */
export async function openEmbeddedCatalog(
  folder = memoryFolder('aisle-catalog-'),
  { disk, access: accessOptions, clock = SYSTEM_CLOCK, ...options }: EmbeddedCatalogOptions = {},
): Promise<EmbeddedCatalog> {
  const environment = openEnvironment(join(folder, 'lmdb'), { readOnly: false })
  const fail = (message: string): never => {
    throw new Error(message)
  }
  const committer = new Committer(environment, fail)
  const documents = new LmdbDocumentStore(environment, committer, (_, message) => fail(message))
  const indexes = await createIndexHost(join(folder, 'index'), shareIndexThread(), disk)
  const publisher = new Publisher(createGeneration())
  const log: string[] = []
  const writer = new EmbeddedWriter({
    documents,
    indexes,
    publisher,
    clock,
    ...options,
    log: (level, message) => {
      if (level !== 'info') log.push(message)
    },
    onCrash: (error) => {
      throw error
    },
  })
  const publications = new MessageChannel()
  const commands = new MessageChannel()
  publisher.connect(publications.port1)
  const snapshots = new SnapshotFolder({
    environment,
    folder: join(folder, 'snapshots'),
    events: join(folder, 'events'),
    version: '0.0.0',
    keep: 0,
    clock,
    log: () => undefined,
  })
  const accessStore = new LmdbAccessStore(environment, committer, fail)
  const access = new AccessControl({
    store: accessStore,
    clock,
    publish: (change) => {
      publisher.add({ kind: 'access', change })
      publisher.advance()
    },
    auditDays: 400,
    adminToken: { digest: '', save: async () => undefined },
    deviceKey: 'key of the tests',
    passwordCost: { memoryKib: 8, passes: 1, parallelism: 1 },
    ...accessOptions,
  })
  const activity = {} as ActivityKeeper
  const edits = new LmdbEditJournal(environment, committer, fail)
  serveCommands(commands.port1, { writer, edits, snapshots, access, activity }, () => undefined)
  const replica = new Replica(publications.port2, publisher.generation, createSearcher, () =>
    environment.root.resetReadTxn(),
  )
  const rows = new DocumentRows(environment, (_, message) => fail(message))
  const reader = new LmdbDocumentReader(rows, {
    catalogOf: (storeId) => replica.store(storeId)?.catalog,
    knownCatalogOf: (storeId, content) => replica.knownCatalog(storeId, content),
  })
  const client = new CommandClient(commands.port2, createPressure(1), 0)
  await writer.open()
  const kill = async (): Promise<void> => {
    publisher.disconnect(publications.port1)
    commands.port1.close()
    await indexes.close()
    await environment.root.close()
  }
  const close = async (): Promise<void> => {
    publisher.disconnect(publications.port1)
    commands.port1.close()
    await writer.close()
    await indexes.close()
    await environment.root.close()
  }
  return {
    folder,
    log,
    kill,
    reap: () => writer.reap(),
    ...replicaPorts(replica),
    reader,
    writer: client.writer,
    edits: client.edits,
    snapshots: client.snapshots,
    snapshotReader: new FolderSnapshotReader(client.snapshots),
    access: client.access,
    audit: accessStore,
    backend: new EmbeddedSearchBackend(replica, {
      findKey: (catalog, id) => rows.findKey(catalog, id),
      openIndex: (storeId) => writer.openIndex(storeId),
      clock,
    }),
    close,
    [Symbol.asyncDispose]: async () => {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
