import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { LogFolder } from '@aisle/event-log'
import { memoryFolder } from '@aisle/testing'
import { ReportDatabase } from '../../adapters/duckdb/report-database.ts'
import type { IndexDisk } from '../../adapters/embedded/index-host.ts'
import { openEmbeddedCatalog } from '../../adapters/embedded/test/embedded-catalog.ts'
import { EventLogClient } from '../../adapters/event-log/event-log-client.ts'
import { EventLogServer } from '../../adapters/event-log/event-log-server.ts'
import {
  createAnswerChannel,
  SharedAnswerCache,
} from '../../adapters/shared-memory/answer-cache.ts'
import { createStreamSlots, SharedStreamSlots } from '../../adapters/shared-memory/stream-slots.ts'
import { digestOf } from '../../domain/access/store-keys.ts'
import type { Clock } from '../../ports/host/clock.ts'
import { NO_EMBEDDERS, type Embedders } from '../../ports/search/embedder.ts'
import { NO_QUERY_VECTORS } from '../../ports/search/query-vectors.ts'
import { ActivityBook } from '../../threads/activity-book.ts'
import { sourceReadings } from '../../threads/source-readings.ts'
import { ADMIN_TOKEN, readEntries, type TestBackend, type TestLogs } from './test-backend.ts'
import { testReports } from './test-reports.ts'
import { TestSuggestions } from './test-suggestions.ts'

const FIRST_RUN_SECRET = 'fr_first-run-secret-of-the-tests'
/** They are for the next start, and there is none. */
const NO_INDEX_FILES: IndexDisk = { roomBytes: () => -1, onPostponed: () => undefined }
const CACHE_BYTES = 64e6
const REPORTS_BYTES = 128e6

/**
 * What a service has in its threads, in one thread: the engine, and documents, events and reports
 * in a folder.
 */
export async function openEmbeddedBackend(
  clock: Clock,
  embedders: Embedders = NO_EMBEDDERS,
): Promise<TestBackend> {
  const folder = memoryFolder('aisle-app-')
  const catalog = await openEmbeddedCatalog(folder, {
    clock,
    embedders,
    disk: NO_INDEX_FILES,
    access: {
      firstRunDigest: digestOf(FIRST_RUN_SECRET),
      adminToken: { digest: digestOf(ADMIN_TOKEN), save: async () => undefined },
    },
  })
  const { port1, port2 } = new MessageChannel()
  const eventFolder = new LogFolder({
    folder: join(folder, 'events'),
    now: () => clock.now(),
    onProblem: (_, message) => assert.fail(message),
  })
  new EventLogServer(eventFolder).serve(port1)
  const events = new EventLogClient()
  events.connect(port2)
  const logs: TestLogs = { events, files: (log) => eventFolder.files(log) }
  const database = new ReportDatabase({
    folder: join(folder, 'reports'),
    logs: eventFolder,
    memoryBytes: REPORTS_BYTES,
    now: () => clock.now(),
    onProblem: (_, message) => assert.fail(message),
  })
  const answers = new SharedAnswerCache(createAnswerChannel(), CACHE_BYTES, () => undefined)
  const suggestions = new TestSuggestions(catalog, clock, logs)
  return {
    access: catalog.access,
    directory: catalog.directory,
    firstRunSecret: FIRST_RUN_SECRET,
    ports: {
      ...catalog,
      activity: new ActivityBook(clock, () => []),
      clock,
      events,
      answers,
      slots: new SharedStreamSlots(createStreamSlots(1), 0),
      suggestions: suggestions.source,
      reports: testReports(database, logs),
      embedders,
      queryVectors: NO_QUERY_VECTORS,
      addressKey: 'key of the tests',
      sources: sourceReadings(['127.0.0.1']),
      health: () => ({ ok: true, starting: [] }),
      version: '0.0.0',
    },
    stored: (storeId) => readEntries(logs, catalog.registry.find(storeId)!),
    follow: (hasWritten) => suggestions.follow(hasWritten),
    async close() {
      answers.close()
      await events.flush()
      port1.close()
      await database.close()
      await eventFolder.close()
      await catalog.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
