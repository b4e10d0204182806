import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpClient } from '../lib/http-client.ts'
import { ServerProcess } from '../lib/server-process.ts'
import { createEventStore, logEntries, stockEvent } from './event-store.ts'

// Goal: no acknowledged event is lost and none counts twice, whatever is sent again, in whatever order.
// Method: batches with repeated events from several senders, kill -9 at a random moment, start again,
// again; then the log against what was acknowledged. Longer: CHAOS_ROUNDS=100.

const ROUNDS = Number(process.env['CHAOS_ROUNDS'] ?? 3)
const SENDERS = 4
const BATCH = 20
const REPEATED_SHARE = 0.2

test('kill -9 while events come in, some of them again and out of order', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'aisle-'))
  const start = (): Promise<ServerProcess> =>
    ServerProcess.start({ dataDir, threads: 2, environment: { AISLE_LOG_LEVEL: 'error' } })
  let server = await start()
  const store = await createEventStore(server, 'shop')
  const sent = new Set<string>()
  const acknowledged = new Set<string>()
  const unanswered: string[] = []

  const nextId = (): string => {
    const again = unanswered.pop() ?? (Math.random() < REPEATED_SHARE ? anyOf(sent) : undefined)
    const id = again ?? `event-${sent.size}`
    sent.add(id)
    return id
  }
  const run = async (http: HttpClient): Promise<void> => {
    for (;;) {
      const ids = Array.from({ length: BATCH }, nextId).toSorted(() => Math.random() - 0.5)
      const batch = ids.map((id) => stockEvent(id, store.writeKey))
      const body = JSON.stringify({
        writeKey: store.writeKey,
        batch,
        sentAt: new Date().toISOString(),
      })
      try {
        const answer = await http.send({ method: 'POST', path: '/v1/b', headers: {}, body })
        assert.equal(answer.status, 200, answer.body.toString())
        const { okEvents } = JSON.parse(answer.body.toString()) as { okEvents: number }
        assert.equal(okEvents, BATCH)
        for (const id of ids) acknowledged.add(id)
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        unanswered.push(...ids.filter((id) => !acknowledged.has(id)))
        return
      }
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    const clients = Array.from(
      { length: SENDERS },
      () => new HttpClient(server.url, { connections: 1 }),
    )
    const running = clients.map(run)
    await sleep(50 + Math.random() * 400)
    process.kill(server.pid, 'SIGKILL')
    await Promise.all(running)
    for (const http of clients) http.close()
    await server.stop({ keepData: true })
    server = await start()
  }
  await server.stop({ keepData: true })

  const found = new Map<string, number>()
  for (const entry of logEntries(store)) {
    if (entry.kind === 'event') found.set(entry.messageId, (found.get(entry.messageId) ?? 0) + 1)
  }
  assert.ok(acknowledged.size > BATCH * ROUNDS, `${acknowledged.size} acknowledged`)
  assert.deepEqual(
    [...acknowledged].filter((id) => found.get(id) !== 1),
    [],
    'acknowledged events are there, once',
  )
  assert.deepEqual(
    [...found].filter(([id, times]) => times > 1 || !sent.has(id)),
    [],
  )
  ServerProcess.removeData(dataDir)
})

/** One of the newest: sent again while the first is on its way, or in an earlier life. */
function anyOf(ids: ReadonlySet<string>): string | undefined {
  if (ids.size === 0) return undefined
  return `event-${Math.floor(Math.random() * ids.size)}`
}
