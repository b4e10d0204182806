import assert from 'node:assert/strict'
import test from 'node:test'
import { sendEvents, ServerProcess, ThinClient, until } from '@aisle/testing'
import { createEventStore, type EventStore } from '../tools/events/event-store.ts'
import { ATTACK_FIELDS, attackLines, attackRequests } from './lib/neighbours-load.ts'
import { neighboursText } from './lib/neighbours-level.ts'
import { openLoop, type StreamReport } from './lib/open-loop.ts'

/** Checks no latencies, since a machine may be busy: only that everything happens, and in order. */
const PATIENCE = { timeoutMs: 120_000, pauseMs: 50 }
const VISITORS = 3
const REPORTS = 12

test('a store keeps working while another does its worst on every shared thread', async () => {
  const server = await ServerProcess.start({
    threads: 1,
    environment: { AISLE_LOG_LEVEL: 'warn' },
    startLimitMs: PATIENCE.timeoutMs,
  })
  const client = new ThinClient(server.url, { adminToken: server.adminToken })
  try {
    const neighbour = await createEventStore(server, 'neighbour')
    const attacker = await createEventStore(server, 'attacker')
    const fields = [{ name: 'title', type: 'string', searchable: true }]
    await client.setSchema(neighbour, { fields })
    await client.bulk(neighbour, ['{"id":"1","title":"garden swing"}'])
    await client.setSchema(attacker, { fields: ATTACK_FIELDS })
    const lines = attackLines(1_500)
    await client.bulk(attacker, lines)
    // The first reports create their files.
    for (const store of [neighbour, attacker]) await reported(server, store, 'overview')

    const { search, events, bulk } = attackRequests(attacker, lines, 40)
    const flood = openLoop(
      Number(new URL(server.url).port),
      Object.entries({ search, events, bulk }).map(([name, requests]) => ({
        name,
        requests: requests!,
        perSecond: name === 'bulk' ? 2 : 20,
      })),
      3_000,
    )
    let attackReportsLeft = REPORTS
    const attackReports = Array.from({ length: REPORTS }, () =>
      reported(server, attacker, 'top-queries?limit=10000').then(() => attackReportsLeft--),
    )
    await sendSearches(server, neighbour)
    const overview = (await reported(server, neighbour, 'overview')) as {
      totals: { searches: number }
    }
    assert.equal(overview.totals.searches, VISITORS, 'answered searches are counted')
    assert.ok(attackReportsLeft > 0, 'the neighbour waits for one report of the other at most')
    const { found } = await client.search(neighbour, { q: 'swing' })
    assert.equal(found, 1)
    await client.bulk(neighbour, ['{"id":"2","title":"porch swing"}'])
    await untilSuggested(server, neighbour, 'garden swing')
    await Promise.all(attackReports)
    for (const [name, report] of Object.entries(await flood)) {
      // A busy machine may refuse them all.
      const count = report.admitted.count + report.refused.count
      assert.ok(count > 0, `the attack by ${name} took place`)
    }
    assert.equal((await client.search(neighbour, { q: 'swing' })).found, 2)
  } finally {
    client.close()
    await server.stop()
  }
})

test('the table of the benchmark has a row for each kind of request', () => {
  const outcome = { count: 200, perSecond: 1, p50Ms: 1, p99Ms: 2, maxMs: 3 }
  const few = { ...outcome, count: 6 }
  const report: StreamReport = {
    requests: 1,
    admitted: outcome,
    refused: outcome,
    failures: 0,
    clientDelayMs: 1,
  }
  const text = neighboursText({
    seconds: 1,
    alone: { search: report, reports: { ...report, admitted: few } },
    beside: {
      search: { ...report, admitted: { ...outcome, p99Ms: 3 } },
      reports: { ...report, admitted: { ...few, p50Ms: 2, maxMs: 9 } },
    },
    attack: { events: report },
    sameKind: { reports: { ...report, admitted: { ...few, p50Ms: 4 } } },
    floods: {
      'no such page': {
        search: { ...report, admitted: { ...outcome, p99Ms: 4 } },
        flood: { answeredPerSecond: 500, refusedPerSecond: 9_000, failed: 0 },
      },
    },
    heavy: {
      polygons: { search: { ...report, admitted: { ...outcome, p99Ms: 4 } }, heavy: report },
    },
    spinning: report,
  })
  const cells = (name: string): string[] => {
    const rows = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
    return rows.find((row) => row[1] === name)!.slice(2)
  }
  assert.deepEqual(cells('search').slice(0, 6), ['1.0', '2.0', '1.0', '3.0', '1.00', '1.50'])
  const ofFew = cells('reports')
  assert.deepEqual(ofFew.slice(0, 4), ['1.0', '3.0 (max of 6)', '2.0', '9.0 (max of 6)'])
  assert.deepEqual(ofFew.slice(4, 6), ['2.00', ''])
  assert.deepEqual(cells('reports beside reports').slice(2, 5), ['4.0', '3.0 (max of 6)', '4.00'])
  assert.match(text, /events 200 answered, 200 refused, 0 failed/)
  assert.deepEqual(cells('no such page').slice(0, 4), ['1.0', '4.0', '1.00', '2.00'])
  assert.deepEqual(cells('no such page').slice(6, 8), ['500', '9000'])
  assert.deepEqual(cells('polygons').slice(0, 4), ['1.0', '4.0', '1.00', '2.00'])
})

async function sendSearches(server: ServerProcess, { writeKey }: EventStore): Promise<void> {
  const batch = Array.from({ length: VISITORS }, (_, i) => ({
    type: 'track',
    event: 'Search Submitted',
    timestamp: new Date().toISOString(),
    messageId: `swing ${i}`,
    anonymousId: `visitor ${i}`,
    properties: { query: 'garden swing', search_id: `swing ${i}`, num_found: 1 },
  }))
  assert.equal(await sendEvents(server.url, writeKey, batch), VISITORS)
}

/** Waits for a report; a temporary refusal (429, 503) is retried. */
async function reported(server: ServerProcess, store: EventStore, path: string): Promise<unknown> {
  const url = `${server.url}/api/v1/stores/${store.id}/analytics/${path}`
  const headers = { 'x-storeid': store.id, 'x-store-write-secret': store.writeSecret }
  return await until(
    `the report ${path}`,
    async () => {
      const answer = await fetch(url, { headers })
      if (answer.ok) return await answer.json()
      assert.ok([429, 503].includes(answer.status), `${answer.status} ${await answer.text()}`)
      return undefined
    },
    PATIENCE,
  )
}

async function untilSuggested(
  server: ServerProcess,
  { id, readSecret }: EventStore,
  query: string,
): Promise<void> {
  const headers = { 'x-storeid': id, 'x-storesecret': readSecret }
  await until(
    `the suggestion "${query}"`,
    async () => {
      const answer = await fetch(`${server.url}/v1/suggestions/queries?q=gard`, { headers })
      const text = await answer.text()
      return text.includes(query)
    },
    PATIENCE,
  )
}
