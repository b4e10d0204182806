import { redefinedSchema } from '../domain/documents/redefine-fields.ts'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { LmdbAccessStore } from '../adapters/lmdb/access-store.ts'
import { Committer } from '../adapters/lmdb/committer.ts'
import { LmdbDocumentStore } from '../adapters/lmdb/document-store.ts'
import { openEnvironment } from '../adapters/lmdb/environment.ts'
import { Settings } from '../adapters/lmdb/settings.ts'
import { EVENTS } from '../adapters/lmdb/snapshot-files.ts'
import type { AuditEntry } from '../domain/access/audit.ts'
import type { StoredDocument } from '../ports/catalog/document-reader.ts'
import { toIndexDocument } from '../domain/documents/indexed-document.ts'
import { ownVectors } from '../adapters/embedded/own-vectors.ts'
import { ADMIN_DIGEST } from '../services/access/admin-token.ts'
import { searchUsageName } from '../adapters/embedded/search-usage-keeper.ts'
import type {
  InstalledDocument,
  Installation,
  MonthOfSearches,
  StoreState,
} from './installation.ts'

const PAGE_ROWS = 500
const PAGE_BYTES = 1_000_000
const AUDIT_PAGE = 1_000

/** The installation in a snapshot, which was verified and which nobody writes to. */
export function openSnapshot(folder: string): Installation {
  const lmdb = join(folder, 'lmdb')
  const environment = openEnvironment(lmdb, { readOnly: true })
  const refuse = (...reason: unknown[]): never => {
    throw new Error(`Damaged: ${reason.join(' ')}`)
  }
  const committer = new Committer(environment, refuse)
  const rows = new LmdbDocumentStore(environment, committer, refuse)
  const access = new LmdbAccessStore(environment, committer, refuse)
  const settings = new Settings(environment, committer)
  const catalogs = new Map<string, number>()
  const stores = rows.stores().map((row): StoreState => {
    const {
      storeNumber,
      catalog,
      schema,
      index: _,
      language,
      reanalysis,
      previousFields: __,
      embedding,
      ...record
    } = row
    const { nextDocKey, docCount, documentBytes, lastWriteMs } = rows.counters(catalog)
    catalogs.set(record.storeId, catalog)
    const searches = settings.get(searchUsageName(record.storeId)) as MonthOfSearches | undefined
    return {
      record,
      schema: schema && redefinedSchema(schema, reanalysis?.fields),
      language: reanalysis?.language ?? language,
      resources: rows.resources(storeNumber),
      nextDocKey,
      docCount,
      documentBytes,
      lastWriteMs,
      searches: searches?.createdAt === record.createdAt ? searches : undefined,
      embedding,
    }
  })
  return {
    adminDigest: settings.get(ADMIN_DIGEST) as string | undefined,
    events: join(folder, EVENTS),
    users: access.users(),
    stores,
    async *audit(): AsyncIterable<readonly AuditEntry[]> {
      for (let from = 1; ;) {
        const page = access.oldestAudit(from, AUDIT_PAGE)
        if (page.length === 0) return
        yield page.map(({ id, entry }) => entry ?? refuse(`audit entry ${id}`))
        from = page.at(-1)!.id + 1
      }
    },
    async *documents({ record, schema }, after): AsyncIterable<readonly InstalledDocument[]> {
      const catalog = catalogs.get(record.storeId)!
      for (let from: number | undefined = after + 1; from !== undefined;) {
        const range = { from, to: Number.MAX_SAFE_INTEGER }
        const page = rows.scan(catalog, range, PAGE_ROWS, PAGE_BYTES)
        if (page.documents.length > 0) {
          yield page.documents.map((document) => ({
            ...document,
            vectors: vectorsOf(rows, { catalog, schema }, document),
          }))
        }
        from = page.next
      }
    },
    async close() {
      await environment.root.close()
      // LMDB's table of readers does not belong in a snapshot.
      rmSync(join(lmdb, 'lock.mdb'), { force: true })
    },
  }
}

function vectorsOf(
  rows: LmdbDocumentStore,
  store: { readonly catalog: number; readonly schema: StoreState['schema'] },
  document: StoredDocument,
): InstalledDocument['vectors'] {
  const { schema } = store
  if (schema?.spaces === undefined) return []
  return ownVectors(rows, store, toIndexDocument(document, schema))
}
