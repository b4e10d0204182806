import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import type { ApiError } from '@aisle/contract'
import { logNameOf, type VisitorEvent } from '@aisle/event-log'
import { EventLogClient } from '../adapters/event-log/event-log-client.ts'
import { EventsHost } from './hosted-threads.ts'

const OWNER = { storeId: 'shop', createdAt: '2026-01-01T00:00:00.000Z' }

function event(messageId: string): VisitorEvent {
  const [name, source] = ['click', 'simple'] as const
  const times = { atMs: 1, receivedMs: 1 }
  return { kind: 'event', name, source, messageId, ...times, visitor: {}, properties: {} }
}

test('a store that has taken its events of the day is told when to come again, others are not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-events-host-'))
  const host = new EventsHost({ folder, log: () => undefined, onReplaced: () => undefined })
  const client = new EventLogClient()
  try {
    client.connect(host.connect())
    host.sweep([{ log: logNameOf(OWNER), retentionMs: 1, dayMaxBytes: 1_000 }])
    const receivedMs = Date.now()
    const append = (owner: typeof OWNER, id: string) =>
      client.append(owner, { entries: [{ ...event(id), receivedMs }], refused: [] })
    const answers = []
    for (let i = 0; i < 30; i++) answers.push(append(OWNER, String(i)))
    const refused = (await Promise.allSettled(answers)).filter(
      (answer) => answer.status === 'rejected',
    )
    assert.ok(refused.length > 0 && refused.length < 30)
    const { code, status, resetAt, retryAfterSeconds } = refused[0]!.reason as ApiError
    assert.deepEqual([code, status], ['quota_exceeded', 429])
    assert.match(resetAt!, /T00:00:00.000Z$/)
    assert.ok(retryAfterSeconds! > 0 && retryAfterSeconds! <= 86_400)
    assert.deepEqual(await append({ ...OWNER, storeId: 'other' }, '1'), [])
  } finally {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

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
    const args = ['shop.1', 'no records', [], []]
    intruder.postMessage({ callId: 1, target: 'logs', method: 'append', args })
    await replaced.promise
    assert.ok(problems.includes('error'))
    const places = await client.append(OWNER, { entries: [event('1'), event('2')], refused: [] })
    assert.deepEqual(places, [0], 'the log remembers')
  } finally {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
