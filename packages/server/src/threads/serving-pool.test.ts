import assert from 'node:assert/strict'
import { request } from 'node:http'
import test, { suite } from 'node:test'
import { createGeneration } from '../adapters/embedded/generation.ts'
import { ActivityBook } from './activity-book.ts'
import { createPressure, enterPressure } from '../adapters/embedded/pressure.ts'
import { Publisher } from '../adapters/embedded/publisher.ts'
import type { AccessKeeper } from '../ports/access/access-keeper.ts'
import { createAnswerChannel } from '../adapters/shared-memory/answer-cache.ts'
import { createAnswerMemory } from '../adapters/shared-memory/answer-memory.ts'
import { createConnectionCounts } from '../adapters/shared-memory/connection-counts.ts'
import { createDiskRoom } from '../adapters/shared-memory/disk-room.ts'
import { createStreamSlots } from '../adapters/shared-memory/stream-slots.ts'
import { createVitals } from '../adapters/shared-memory/vitals.ts'
import { createRateLimitMemory } from '../adapters/shared-memory/rate-limiter.ts'
import { createStartProgress } from '../adapters/embedded/start-progress.ts'
import type { EditJournal } from '../ports/catalog/edit-journal.ts'
import type { SnapshotKeeper } from '../ports/catalog/snapshot-keeper.ts'
import type { CatalogWriter } from '../ports/catalog/catalog-writer.ts'
import { ServingPool } from './serving-pool.ts'

/**
 * No promise: a test that waits longer has failed. A dead thread is replaced at once, within a
 * second on an idle machine.
 */
const PATIENCE_MS = 30_000

function get(port: number, path: string): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request({ port, host: '127.0.0.1', path, agent: false }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      answer.on('end', () => resolve(text))
      answer.on('error', () => resolve('cut off'))
    })
    outgoing.on('error', () => resolve('cut off'))
    outgoing.end()
  })
}

suite('serving pool', () => {
  test('a thread that dies is replaced, one that hangs is ended, and the others go on', async (t) => {
    const publisher = new Publisher(createGeneration())
    const pressure = createPressure(2)
    const lines: string[] = []
    const pool = new ServingPool({
      threadCount: 2,
      publisher,
      writer: {} as CatalogWriter,
      edits: {} as EditJournal,
      snapshots: {} as SnapshotKeeper,
      access: {} as AccessKeeper,
      activity: new ActivityBook({ now: () => 0 }, () => []),
      log: (_level, message) => lines.push(message),
      collectMetrics: () => Promise.resolve(''),
      entry: new URL('./test/crashing-thread.ts', import.meta.url),
      thread: {
        host: '127.0.0.1',
        documents: '',
        pages: undefined,
        demoPages: undefined,
        docsPages: undefined,
        addressKey: '',
        ingestAliases: false,
        mcp: false,
        metricsStores: false,
        imageHosts: [],
        sourceNetworks: [],
        mailServer: undefined,
        publicUrl: undefined,
        embedders: [],
        searchTimeoutMaxMs: 2_000,
        version: '',
        rateLimit: 0,
        pageRateLimit: 0,
        unreadAnswersMegabytes: 256,
        answerMemory: createAnswerMemory(2, 0),
        tracing: undefined,
        rateLimits: createRateLimitMemory(0),
        answers: { channel: createAnswerChannel(), bytesMax: 0 },
        trustProxy: false,
        logLevel: 'silent',
        logFormat: 'json',
        progress: createStartProgress(),
        diskRoom: createDiskRoom(),
        streamSlots: createStreamSlots(0),
        connections: createConnectionCounts(2, 0),
        connectionsPerAddress: 0,
        generation: publisher.generation,
        pressure,
        vitals: createVitals(2),
      },
      hangMaxMs: 1_500,
    })
    // Whatever fails: threads that go on would keep the whole run from ending.
    t.after(() => pool.stop(5_000))
    const port = await pool.start(0)
    const bothAnswer = async (): Promise<boolean> => {
      const seen = new Set<string>()
      for (let i = 0; i < 40 && seen.size < 2; i++) seen.add(await get(port, '/'))
      return seen.has('0') && seen.has('1')
    }
    const untilBothAnswer = async (): Promise<void> => {
      const startMs = performance.now()
      while (!(await bothAnswer())) assert.ok(performance.now() - startMs < PATIENCE_MS)
    }
    await untilBothAnswer()
    for (const path of ['/throw', '/exit']) {
      enterPressure(pressure, 0, 1_000, 10)
      enterPressure(pressure, 1, 1_000, 10)
      assert.equal(await get(port, path), 'cut off')
      await untilBothAnswer()
      // Streams of the dead thread no longer count; the other's still do.
      assert.equal(pressure[1]! + pressure[3]!, 10)
      pressure.fill(0)
    }
    assert.ok(lines.includes('A serving thread ended; replacing it'))

    // One that hangs is ended, with what waits for it; the other serves meanwhile.
    const hanging = get(port, '/hang')
    const answers = await Promise.all(Array.from({ length: 24 }, () => get(port, '/')))
    assert.equal(await hanging, 'cut off')
    const served = new Set(answers.filter((answer) => answer !== 'cut off'))
    // The one that hangs may have answered some before it began to.
    assert.ok(served.size > 0, 'nobody served meanwhile')
    assert.ok(lines.includes('A serving thread is not responding; terminating it'))
    await untilBothAnswer()
    await pool.stop(5_000)
    assert.equal(await get(port, '/'), 'cut off')
  })
})
