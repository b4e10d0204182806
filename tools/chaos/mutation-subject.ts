import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'
import { logEnd, readLog } from '@aisle/event-log'
import { openIndex } from '@aisle/engine'
import { openEnvironment } from '../../packages/server/src/adapters/lmdb/environment.ts'
import { checkFile } from '../../packages/server/src/adapters/lmdb/file-check.ts'
import { checkEveryRow } from '../../packages/server/src/adapters/lmdb/full-check.ts'
import { mixBytes, readJsonRow } from '../../packages/server/src/adapters/lmdb/record.ts'
import { DocumentRows } from '../../packages/server/src/adapters/lmdb/rows.ts'
import {
  checkSchemaFields,
  mergeSchema,
} from '../../packages/server/src/domain/documents/schema-rules.ts'
import { verifySnapshotFolder } from '../../packages/server/src/offline/restore-snapshot.ts'
import type { StoreRow } from '../../packages/server/src/ports/catalog/document-store.ts'
import { CHAOS_FIELDS } from './document.ts'
import {
  documentId,
  DOCUMENTS,
  eventFiles,
  historyOf,
  placesOf,
  reportPath,
} from './folder-places.ts'

/**
 * The process that reads damaged files, and may crash. Reads what its parent requests, returns what
 * it found, in the order of the parts, and whether it detected a problem.
 */
export type Kind = 'documents' | 'index' | 'events' | 'snapshots' | 'reports' | 'suggestions'

export interface Order {
  readonly kind: Kind
  readonly folder: string
}

export type Found =
  /** The rest is read by the service itself, not by its check process. */
  | { readonly stage: 'service' }
  | { readonly refused: string }
  | { readonly items: readonly string[]; readonly noticed: boolean }

const READERS: Readonly<Record<Kind, (folder: string) => Found | Promise<Found>>> = {
  documents: readDocuments,
  index: readIndex,
  events: readEvents,
  snapshots: readSnapshots,
  reports: readReports,
  suggestions: readSuggestions,
}

if (process.send !== undefined) {
  process.on('message', ({ kind, folder }: Order) => {
    const refused = (error: unknown): Found => ({ refused: String(error) })
    void Promise.resolve(folder)
      .then(READERS[kind])
      .catch(refused)
      .then((found) => process.send!(found))
  })
}

async function readDocuments(folder: string): Promise<Found> {
  const path = placesOf(folder).documents
  checkFile(join(path, 'data.mdb'))
  const { damaged } = await checkEveryRow(path)
  let noticed = damaged.length > 0
  process.send!({ stage: 'service' } satisfies Found)
  const environment = openEnvironment(path, { readOnly: true })
  try {
    const rows = new DocumentRows(environment, () => undefined)
    const [first] = [...environment.stores.getRange({})]
    const { catalog } = readJsonRow(first!.value, mixBytes(first!.key)) as StoreRow
    const items: string[] = []
    for (let number = 0; number < DOCUMENTS; number++) {
      const id = documentId(number)
      try {
        const docKey = rows.findKey(catalog, id)
        const document = docKey === undefined ? undefined : rows.read(catalog, docKey)
        if (document !== undefined) items.push(`${id} ${document.id} ${String(document.json)}`)
      } catch {
        noticed = true
      }
    }
    return { items, noticed }
  } finally {
    await environment.root.close()
  }
}

async function readIndex(folder: string): Promise<Found> {
  const index = placesOf(folder).index
  const items: string[] = []
  for (const name of readdirSync(index)) {
    const { schema } = mergeSchema(undefined, 'additive', checkSchemaFields(CHAOS_FIELDS))
    const opened = await openIndex(join(index, name), schema, 'en')
    if (opened === undefined) return { refused: 'it is for another schema' }
    for (const { buffer, live } of opened.segments) {
      items.push(digest(Buffer.from(buffer)), live === undefined ? '' : digest(Buffer.from(live)))
    }
    items.push(opened.trie === undefined ? '' : digest(Buffer.from(opened.trie)))
  }
  return { items, noticed: false }
}

function readEvents(folder: string): Found {
  const files = eventFiles(folder)
  const items: string[] = []
  let noticed = false
  const end = logEnd(files)
  for (let at = 0; at < end;) {
    const page = readLog(files, at, end)
    items.push(...page.records.map((record) => JSON.stringify(record)))
    if (page.skippedBytes > 0) noticed = true
    at = page.next
  }
  return { items, noticed }
}

async function readSnapshots(folder: string): Promise<Found> {
  const { snapshots } = placesOf(folder)
  const items: string[] = []
  for (const name of readdirSync(snapshots)) {
    const { stores, documents } = await verifySnapshotFolder(join(snapshots, name))
    items.push(`${stores} stores, ${documents} documents`)
  }
  return { items, noticed: false }
}

let instance: DuckDBInstance | undefined

async function readReports(folder: string): Promise<Found> {
  // Loaded lazily: a process that reads other files starts faster.
  const { DuckDBInstance: Instances } = await import('@duckdb/node-api')
  const { ReportFile } = await import('../../packages/server/src/adapters/duckdb/report-file.ts')
  instance ??= await Instances.create(':memory:', { threads: '1' })
  const file = await ReportFile.open(instance, reportPath(folder))
  try {
    const rows = await file.session.rows('SELECT * FROM activity ORDER BY position')
    return {
      items: [String(file.watermark), ...rows.map((row) => JSON.stringify(row))],
      noticed: false,
    }
  } finally {
    await file.close()
  }
}

function readSuggestions(folder: string): Found {
  const saved = historyOf(folder).read()
  if (saved === undefined) return { refused: 'it is rebuilt from the log' }
  return { items: [JSON.stringify(saved)], noticed: false }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
