import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import type { VisitorEvent } from '@aisle/event-log'
import { createDiskRoom } from '../adapters/shared-memory/disk-room.ts'
import { EventLogClient } from '../adapters/event-log/event-log-client.ts'
import { ReportClient } from '../adapters/report-thread/report-client.ts'
import { EventsHost, ReportsHost } from './hosted-threads.ts'

const OWNER = { storeId: 'shop', createdAt: '2026-01-01T00:00:00.000Z' }

function search(messageId: string): VisitorEvent {
  const times = { atMs: 1_000, receivedMs: 1_000 }
  const properties = { query: messageId }
  const base = { kind: 'event', name: 'search', source: 'simple', visitor: {} } as const
  return { ...base, messageId, ...times, properties }
}

test('when the thread of the reports dies, callers are refused, and another one goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-reports-host-'))
  const log = (): void => undefined
  const events = new EventsHost({
    folder: join(folder, 'events'),
    log,
    onReplaced: log,
  })
  const client = new EventLogClient()
  const reports = new ReportClient()
  const replaced = Promise.withResolvers<void>()
  const problems: string[] = []
  const host = new ReportsHost({
    thread: {
      events: join(folder, 'events'),
      folder: join(folder, 'reports'),
      memoryBytes: 1e8,
      diskRoom: createDiskRoom(),
    },
    connectEvents: () => events.connect(),
    log: (level) => problems.push(level),
    onRewritten: () => Promise.resolve(),
    onReplaced: () => {
      reports.connect(host.connect())
      replaced.resolve()
    },
  })
  const searches = async (): Promise<unknown> => {
    const { totals } = await reports.count(OWNER, {
      report: 'overview',
      fromMs: 0,
      toMs: 2_000,
      tags: [],
      needsAllTags: false,
      interval: 'day',
      orderBy: 'clicks',
      limit: 1,
    })
    return (totals as { searches: number }).searches
  }
  try {
    client.connect(events.connect())
    reports.connect(host.connect())
    await client.append(OWNER, { entries: [search('1')], refused: [] })
    assert.equal(await searches(), 1)

    const intruder = host.connect()
    // No message at all is one that the thread cannot survive.
    intruder.postMessage(null)
    await replaced.promise
    assert.ok(problems.includes('error'))
    await client.append(OWNER, { entries: [search('2')], refused: [] })
    assert.equal(await searches(), 2)
  } finally {
    await host.close()
    await events.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
