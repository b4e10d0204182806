import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { logNameOf } from '@aisle/event-log'
import { searchUsageName } from '../adapters/embedded/search-usage-keeper.ts'
import { LmdbAccessStore } from '../adapters/lmdb/access-store.ts'
import { Committer } from '../adapters/lmdb/committer.ts'
import { syncPath } from '../adapters/lmdb/data-folder.ts'
import { LmdbDocumentStore } from '../adapters/lmdb/document-store.ts'
import { openEnvironment, openTable } from '../adapters/lmdb/environment.ts'
import { Settings } from '../adapters/lmdb/settings.ts'
import { copyEventLogs } from '../adapters/lmdb/snapshot-events.ts'
import { EVENTS } from '../adapters/lmdb/snapshot-files.ts'
import { NO_COUNTERS } from '../ports/catalog/document-store.ts'
import { ADMIN_DIGEST } from '../services/access/admin-token.ts'
import type { InstalledDocument, Installation, StoreState } from './installation.ts'
import { OfflineError } from './restore-snapshot.ts'

/**
 * Writes the data of an installation as the files of a snapshot, which `openSnapshot` reads. They
 * become a snapshot when `sealSnapshot` describes them.
 *
 * @param work a folder for files that are not compact yet; the caller removes it
 */
export async function writeSnapshot(
  source: Installation,
  folder: string,
  work: string,
): Promise<void> {
  await writeDocuments(source, folder, work)
  const logs = new Set(source.stores.map(({ record }) => logNameOf(record)))
  for (const name of existsSync(source.events) ? readdirSync(source.events) : []) {
    // The log of a deleted store.
    if (!logs.has(name)) rmSync(join(source.events, name), { recursive: true })
  }
  await copyEventLogs(source.events, join(folder, EVENTS))
}

/** Writes everything except the events, in a file that is compact at the end. */
async function writeDocuments(source: Installation, folder: string, work: string): Promise<void> {
  const environment = openEnvironment(join(work, 'lmdb'), { readOnly: false })
  for (const name of ['users', 'sessions', 'audit']) openTable(environment.root, name)
  const refuse = (...reason: unknown[]): never => {
    throw new OfflineError(`Cannot write the snapshot: ${reason.join(' ')}`)
  }
  const committer = new Committer(environment, refuse)
  const access = new LmdbAccessStore(environment, committer, refuse)
  await new Settings(environment, committer).setAll(settingsOf(source))
  await access.commit({ users: source.users })
  for await (const entries of source.audit()) await access.commit({ entries })
  const documents = new LmdbDocumentStore(environment, committer, refuse)
  for (const [at, store] of source.stores.entries()) {
    await writeStore(source, documents, store, at + 1)
  }
  mkdirSync(join(folder, 'lmdb'))
  await environment.root.backup(join(folder, 'lmdb'), true)
  await environment.root.close()
  syncPath(join(folder, 'lmdb'))
}

/** @param number of the store, and of its catalog */
async function writeStore(
  source: Installation,
  documents: LmdbDocumentStore,
  store: StoreState,
  number: number,
): Promise<void> {
  const { record, schema, language, resources, nextDocKey, lastWriteMs } = store
  const row = {
    ...record,
    storeNumber: number,
    catalog: number,
    schema,
    index: number,
    language,
    ...(store.embedding === undefined ? {} : { embedding: store.embedding }),
  }
  await documents.commit({
    stores: [row],
    removedStores: [],
    resources: [{ storeNumber: number, puts: resources, removes: [] }],
    catalogs: [],
  })
  let counters = { ...NO_COUNTERS, nextDocKey, lastWriteMs }
  const put = async (page: readonly InstalledDocument[]) => {
    const puts = page.map(({ vectors: _, ...version }) => version)
    const vectors = page.flatMap(({ id, vectors: made }) => made.map((one) => ({ ...one, id })))
    const last = puts.at(-1)?.docKey ?? 0
    counters = {
      ...counters,
      nextDocKey: Math.max(counters.nextDocKey, last + 1),
      docCount: counters.docCount + puts.length,
      documentBytes: puts.reduce((sum, { json }) => sum + json.length, counters.documentBytes),
    }
    const catalog = {
      catalog: number,
      counters,
      puts,
      removedIds: [],
      buried: [],
      reaped: [],
      ...(vectors.length === 0 ? {} : { vectors: { puts: vectors, removes: [] } }),
    }
    await documents.commit({ stores: [], removedStores: [], catalogs: [catalog] })
  }
  if (schema !== undefined) await put([])
  for await (const page of source.documents(store, -1)) await put(page)
}

function settingsOf({ adminDigest, stores }: Installation): Map<string, unknown> {
  const values = new Map<string, unknown>([[ADMIN_DIGEST, adminDigest]])
  for (const { record, searches } of stores) {
    if (searches !== undefined) values.set(searchUsageName(record.storeId), searches)
  }
  return values
}
