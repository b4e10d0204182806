import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import type { VisitorEvent } from '@aisle/events'
import { EventLogClient } from '../adapters/event-log/event-log-client.ts'
import { EventsHost } from './events-host.ts'

const OWNER = { storeId: 'shop', createdAt: '2026-01-01T00:00:00.000Z' }

function event(messageId: string): VisitorEvent {
  const [name, source] = ['click', 'simple'] as const
  const times = { atMs: 1, receivedMs: 1 }
  return { kind: 'event', name, source, messageId, ...times, visitor: {}, properties: {} }
}

test('when the thread of the events dies, what waits is refused, and another one goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-events-host-'))
  const client = new EventLogClient()
  const replaced = Promise.withResolvers<void>()
  const problems: string[] = []
  const host = new EventsHost({
    folder,
    log: (level) => problems.push(level),
    onReplaced: () => {
      client.connect(host.connect())
      replaced.resolve()
    },
  })
  try {
    client.connect(host.connect())
    assert.deepEqual(await client.append(OWNER, { entries: [event('1')], refused: [] }), [])

    const intruder = host.connect()
    intruder.postMessage({ kind: 'append', callId: 1, log: 'shop.1', records: 'no records' })
    await replaced.promise
    assert.ok(problems.includes('error'))
    const places = await client.append(OWNER, { entries: [event('1'), event('2')], refused: [] })
    assert.deepEqual(places, [0], 'the log remembers')
  } finally {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
