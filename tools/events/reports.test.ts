import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { REPORT_NAMES } from '@aisle/contract'
import { ServerProcess } from '@aisle/testing'
import { knownHistory } from './known-history.ts'
import { ReportStore } from './report-store.ts'
import { canonicalEvent, canonicalName, ubiFile, ubiHistory, type UbiEvent } from './ubi-history.ts'

const DAY_MS = 86_400_000
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS
const iso = (ms: number): string => new Date(ms).toISOString()

/** Maps rows like `{a: 1}` by the value of a column. */
function byColumn(rows: readonly object[], key: string, value: string): Record<string, unknown> {
  const entries = rows.map((row) => {
    const cells = row as Record<string, unknown>
    return [String(cells[key]), cells[value]] as const
  })
  return Object.fromEntries(entries)
}

suite('reports of a running service', () => {
  // Goal: every figure matches the generated events, through kill -9, a deleted file and a rebuild.
  test('a history with known figures', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'aisle-reports-'))
    const start = (): Promise<ServerProcess> =>
      ServerProcess.start({ dataDir, threads: 1, environment: { AISLE_LOG_LEVEL: 'fatal' } })
    let server = await start()
    try {
      const { events, fromMs, toMs, expected } = knownHistory(600, TODAY_MS)
      let store = await ReportStore.create(server, 'shop')
      const half = Math.floor(events.length / 2)
      assert.equal(await store.send(events.slice(0, half)), half)
      await store.report('overview')
      process.kill(server.pid, 'SIGKILL')
      await server.stop({ keepData: true })
      server = await start()
      store = store.on(server)
      // Acknowledged events are repeated too.
      await store.send(events.slice(half - 150))

      const period = { from: iso(fromMs), to: iso(toMs) }
      const { totals, rows } = await store.report('overview', period)
      const { searches } = expected
      assert.deepEqual(
        {
          ...totals,
          click_through_rate: undefined,
          conversion_rate: undefined,
          average_click_position: undefined,
        },
        {
          searches,
          users: expected.users.size,
          sessions: expected.sessions,
          no_result_searches: expected.noResults,
          no_result_rate: expected.noResults / searches,
          clicks: expected.clicks,
          click_through_rate: undefined,
          average_click_position: undefined,
          conversions: expected.orders,
          conversion_rate: undefined,
          orders: expected.orders,
          revenue: ['EUR', 'USD'].map((currency) => ({
            currency,
            amount: expected.cents.get(currency)! / 100,
          })),
          revenue_per_search: null,
          average_order_value: null,
        },
      )
      assert.equal(totals.click_through_rate, expected.clickedSearches / searches)
      assert.equal(totals.conversion_rate, expected.ordered.size / searches)
      assert.equal(totals.average_click_position, expected.rankSum / expected.clicks)
      assert.equal(rows.length, 90)
      assert.deepEqual(
        Object.fromEntries(rows.map((row) => [row.start.slice(0, 10), row.searches])),
        Object.fromEntries(
          rows.map(({ start: day }) => {
            const date = day.slice(0, 10)
            return [date, expected.searchesByDay.get(date) ?? 0]
          }),
        ),
      )
      const queries = await store.report('top-queries', period)
      assert.deepEqual(
        byColumn(queries.rows, 'query', 'searches'),
        Object.fromEntries(expected.searchesByQuery),
      )
      assert.deepEqual(
        byColumn((await store.report('clicks', period)).rows, 'position', 'clicks'),
        Object.fromEntries(expected.clicksByPosition),
      )
      const revenue = await store.report('revenue', period)
      const ordersByQuery: Record<string, number> = {}
      for (const { query, orders } of revenue.rows) {
        ordersByQuery[String(query)] = (ordersByQuery[String(query)] ?? 0) + orders
      }
      assert.deepEqual(ordersByQuery, Object.fromEntries(expected.ordersByQuery))
      assert.deepEqual(byColumn((await store.report('funnel', period)).rows, 'step', 'journeys'), {
        search: searches,
        click: expected.clickedSearches,
        add: expected.added.size,
        order: expected.ordered.size,
      })

      const everything = async (): Promise<unknown[]> =>
        Promise.all(REPORT_NAMES.map((name) => store.report(name, period)))
      const before = await everything()
      const rebuilt = (await store.call('POST', '/rebuild')) as { events: number }
      assert.ok(rebuilt.events >= new Set(events).size)
      assert.deepEqual(await everything(), before)

      await server.stop({ keepData: true })
      const folder = join(dataDir, 'reports')
      for (const file of readdirSync(folder)) {
        if (file.endsWith('.duckdb')) writeFileSync(join(folder, file), 'damaged')
      }
      server = await start()
      store = store.on(server)
      assert.deepEqual(await everything(), before)
    } finally {
      await server.stop({ keepData: true })
      ServerProcess.removeData(dataDir)
    }
  })

  // Only with the data sets: `AISLE_DATASETS=FOLDER npm test` (CONTRIBUTING.md).
  const file = ubiFile()
  const replay = async () => {
    const server = await ServerProcess.start({
      threads: 1,
      environment: { AISLE_LOG_LEVEL: 'fatal' },
    })
    try {
      const history = ubiHistory(file!, TODAY_MS)
      const store = await ReportStore.create(server, 'icecat')
      await store.send(history.map((event, i) => canonicalEvent(event, `icecat-${i}`)))
      const period = { from: iso(TODAY_MS - 91 * DAY_MS), to: iso(TODAY_MS), limit: '10000' }
      const expected = countByHand(history)

      const { totals } = await store.report('overview', period)
      const { currency, amount } = totals.revenue[0]!
      assert.deepEqual(
        [totals.searches, totals.users, totals.sessions, totals.clicks, totals.orders, currency],
        [expected.finals.size, expected.users, expected.sessions, 832, 414, 'EUR'],
      )
      assert.ok(Math.abs(amount - expected.revenue) < 1e-6)
      assert.equal(totals.no_result_rate, null, 'no event says how much was found')
      assert.equal(totals.click_through_rate, expected.reached('click') / expected.finals.size)
      const queries = await store.report('top-queries', period)
      assert.deepEqual(byColumn(queries.rows, 'query', 'searches'), expected.searchesByQuery)
      assert.deepEqual(byColumn(queries.rows, 'query', 'clicks'), expected.clicksByQuery)
      const funnel = await store.report('funnel', period)
      assert.deepEqual(
        funnel.rows.map(({ journeys }) => journeys),
        [
          expected.finals.size,
          expected.reached('click', 'add_to_cart', 'purchase'),
          expected.reached('add_to_cart', 'purchase'),
          expected.reached('purchase'),
        ],
      )
      const documents = await store.report('top-documents', period)
      assert.deepEqual(
        Object.fromEntries(
          documents.rows
            .filter(({ clicks }) => clicks > 0)
            .map((row) => [row.document_id, row.clicks]),
        ),
        expected.clicksByDocument,
      )
      const received = { from: iso(TODAY_MS), to: iso(TODAY_MS + 2 * DAY_MS) }
      const events = await store.report('events', received)
      assert.deepEqual(byColumn(events.rows, 'event', 'count'), expected.eventsByName)
      assert.equal(events.totals.dropped_unknown, 3_623 + 488)
    } finally {
      await server.stop()
    }
  }
  if (file !== undefined) test('the events of the icecat shop, over 90 days', replay)
})

/** The figures of the file, counted in the plainest way. */
function countByHand(history: readonly UbiEvent[]) {
  const finalOf = new Map<string, UbiEvent>()
  const sessions = Map.groupBy(history, ({ session }) => session)
  for (const rows of sessions.values()) {
    const known = new Set<string>()
    let burst: UbiEvent[] = []
    let final: UbiEvent | undefined
    const close = (): void => {
      for (const { search_id } of burst) finalOf.set(search_id, final!)
      burst = []
    }
    for (const row of rows.toSorted((a, b) => a.atMs - b.atMs)) {
      if (['click', 'facet', 'add_to_cart', 'purchase'].includes(row.type)) close()
      if (row.type !== 'search' || known.has(row.search_id)) continue
      known.add(row.search_id)
      const before = burst.at(-1)
      const query = row.query.toLowerCase()
      const earlier = before?.query.toLowerCase() ?? ''
      const isEdit = query.startsWith(earlier) || earlier.startsWith(query)
      if (before === undefined || row.atMs - before.atMs >= 3_000 || !isEdit) close()
      if (burst.length === 0 || query !== earlier) final = row
      burst.push(row)
    }
    close()
  }
  const finals = new Set(finalOf.values())
  const clicks = history.filter(({ type }) => type === 'click')
  const count = (keys: readonly string[]): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const key of keys) counts[key] = (counts[key] ?? 0) + 1
    return counts
  }
  const queries = [...finals].map(({ query }) => query.toLowerCase())
  const clicksByQuery = count(
    clicks.map(({ search_id, query }) => (finalOf.get(search_id)?.query ?? query).toLowerCase()),
  )
  return {
    finals,
    users: new Set([...finals].map(({ anon }) => anon)).size,
    sessions: new Set([...finals].map(({ session }) => session)).size,
    revenue: history
      .filter(({ type }) => type === 'purchase')
      .reduce((sum, { revenue = 0 }) => sum + revenue, 0),
    /** Searches with an event of one of these types. */
    reached: (...types: string[]): number => {
      const acts = history.filter(({ type }) => types.includes(type))
      return new Set(acts.flatMap(({ search_id }) => finalOf.get(search_id) ?? [])).size
    },
    searchesByQuery: count(queries),
    clicksByQuery: Object.fromEntries(
      [...new Set(queries)].map((query) => [query, clicksByQuery[query] ?? 0]),
    ),
    clicksByDocument: count(clicks.map(({ product_id }) => product_id!)),
    eventsByName: count(history.map(({ type }) => canonicalName(type))),
  }
}
