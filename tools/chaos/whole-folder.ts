import { DuckDBInstance } from '@duckdb/node-api'
import { LogFolder, logEnd, readLog, RecordBatch } from '@aisle/event-log'
import type { HistoryState } from '@aisle/suggestions'
import { ReportFile } from '../../packages/server/src/adapters/duckdb/report-file.ts'
import { openEmbeddedCatalog } from '../../packages/server/src/adapters/embedded/test/embedded-catalog.ts'
import { checkSchemaFields } from '../../packages/server/src/domain/documents/schema-rules.ts'
import { chaosDocument, CHAOS_FIELDS } from './document.ts'
import {
  documentId,
  DOCUMENTS,
  eventFiles,
  historyOf,
  LOG,
  placesOf,
  reportPath,
  STORE,
} from './folder-places.ts'

/** A data folder with every kind of data, written by the parts of the service that do so. */

const EVENTS = 400
const BATCH = 50
const FIELDS = checkSchemaFields(CHAOS_FIELDS)

export async function makeWholeFolder(folder: string): Promise<void> {
  const catalog = await openEmbeddedCatalog(folder)
  await catalog.writer.createStore({ name: 'Shop', id: STORE })
  await catalog.writer.changeSchema(STORE, 'additive', FIELDS)
  // Each is written twice, so that there are outdated versions.
  for (let at = 0; at < DOCUMENTS * 2; at += BATCH) {
    const writes = Array.from({ length: BATCH }, (_, i) => ({
      action: 'upsert' as const,
      id: documentId((at + i) % DOCUMENTS),
      json: Buffer.from(JSON.stringify(chaosDocument(at + i))),
    }))
    await catalog.writer.writeDocuments(STORE, writes)
  }
  await writeEvents(folder)
  await catalog.snapshots.create()
  await catalog.close()
  await writeReports(folder)
  historyOf(folder).write({
    language: 'en',
    watermark: logEnd(eventFiles(folder)),
    erasedMs: 0,
    state: stateForTest(),
  })
}

async function writeEvents(folder: string): Promise<void> {
  let nowMs = Date.UTC(2026, 10, 1)
  const logs = new LogFolder({
    folder: placesOf(folder).events,
    now: () => nowMs,
    onProblem: (_, message) => {
      throw new Error(message)
    },
  })
  for (let at = 0; at < EVENTS; at += BATCH) {
    const batch = new RecordBatch()
    for (let i = at; i < at + BATCH; i++) {
      batch.add({
        kind: 'event',
        messageId: `event-${i}`,
        atMs: nowMs,
        receivedMs: nowMs,
        visitor: { anonymousId: `visitor-${i % 20}`, sessionId: `session-${i % 40}` },
        name: 'Product Viewed',
        source: 'canonical',
        properties: { product_id: documentId(i % DOCUMENTS), position: 1 + (i % 10) },
      })
    }
    await logs.append(LOG, { records: batch.take() })
    // Half a day: one segment contains the events of one day.
    nowMs += 43_200_000
  }
  await logs.close()
}

async function writeReports(folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const file = await ReportFile.open(instance, reportPath(folder))
  const files = eventFiles(folder)
  for (const end = logEnd(files); file.watermark < end;) {
    await file.load(readLog(files, file.watermark, end))
  }
  await file.close()
  instance.closeSync()
}

/** Any state will do: it must only be restored unchanged. */
function stateForTest(): HistoryState {
  const entries = Array.from({ length: 500 }, (_, i) => [`query ${i}`, [i, i * 2, i % 7]])
  return { entries } as unknown as HistoryState
}
