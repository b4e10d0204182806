import assert from 'node:assert/strict'
import test from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { until } from '@aisle/testing'
import { serveCalls } from '../message-port/serve-calls.ts'
import type { EventLogCalls } from './event-log-calls.ts'
import { EventLogClient } from './event-log-client.ts'

test('a flush waits for offers that were on their way before it', async () => {
  const { port1, port2 } = new MessageChannel()
  const arrived = Promise.withResolvers<readonly number[]>()
  let appends = 0
  const logs = {
    append: () => {
      appends++
      return arrived.promise
    },
  }
  serveCalls(port1, { logs } as unknown as EventLogCalls, (error) => assert.fail(String(error)))
  const log = new EventLogClient()
  log.connect(port2)
  const owner = { storeId: 'shop', createdAt: '2026-01-01T00:00:00.000Z' }
  const offered = {
    kind: 'event',
    name: 'search',
    source: 'server',
    messageId: '1',
    atMs: 1,
    receivedMs: 2,
    visitor: { sessionId: 's' },
    properties: {},
  } as const
  assert.ok(log.offer(owner, offered))
  // Sent automatically, after a moment.
  await until('the offer is sent', () => appends === 1)
  let isFlushed = false
  const flushed = log.flush().then(() => (isFlushed = true))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isFlushed, false)
  arrived.resolve([])
  await flushed
  port1.close()
})
