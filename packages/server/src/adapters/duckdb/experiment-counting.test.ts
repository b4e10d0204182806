import assert from 'node:assert/strict'
import { test } from 'node:test'
import { naiveReport } from '@aisle/event-log'
import type { CountsByReport, ReportQuery, VisitorEvent } from '@aisle/event-log'
import fc from 'fast-check'
import type { LogOwner } from '../../ports/events/event-log.ts'
import { ReportedFolder } from './report-database-for-test.ts'

const SHOP: LogOwner = { storeId: 'shop', createdAt: '2026-01-01T00:00:00.000Z' }
const START_MS = Date.UTC(2026, 1, 1)
const ids = fc.uniqueArray(fc.constantFrom('d1', 'd2', 'd3', 'd4'), { maxLength: 3 })
/** A search as the service records it, and what is clicked then. */
const search = fc.record({
  session: fc.constantFrom('s1', 's2', 's3', 's4'),
  query: fc.constantFrom('tent', 'stove', ''),
  experiment: fc.option(
    fc.record({
      id: fc.constantFrom('one', 'two'),
      arm: fc.constantFrom('live', 'draft', 'interleaved'),
      live: ids,
      draft: ids,
    }),
    { nil: undefined },
  ),
  clicked: ids,
  paid: fc.constantFrom(undefined, undefined, 10, 0.115, -5, 5_000),
  currency: fc.constantFrom('EUR', 'EUR', undefined),
  tag: fc.boolean(),
})

const history = fc.array(search, { minLength: 5, maxLength: 30, size: 'max' }).map((searches) =>
  searches.flatMap(({ session, query, experiment, clicked, paid, currency, tag }, i) => {
    const event = (
      source: 'server' | 'simple',
      name: string,
      n: number,
      p: object,
    ): VisitorEvent => ({
      kind: 'event',
      name,
      source,
      messageId: `${i} ${n}`,
      atMs: START_MS + i * 60_000 + n * 100,
      receivedMs: START_MS + i * 60_000 + n * 100,
      visitor: { sessionId: session },
      properties: p as VisitorEvent['properties'],
    })
    const properties = {
      query,
      search_id: `search ${i}`,
      ...(experiment === undefined ? {} : { experiment }),
      ...(tag ? { analytics_tags: ['web'] } : {}),
    }
    return [
      event('server', 'search', 0, properties),
      ...clicked.map((document_id, n) => event('simple', 'click', n + 1, { query, document_id })),
      ...(paid === undefined
        ? []
        : [
            event('simple', 'conversion', 9, {
              query,
              revenue: paid,
              ...(currency === undefined ? {} : { currency }),
            }),
          ]),
    ]
  }),
)

test('experiments are counted as the naive report counts it', async () => {
  await using made = new ReportedFolder()
  let stores = 0
  let decided = 0
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.constantFrom([], ['web']),
      fc.constantFrom(undefined, 'tent', '*'),
      fc.constantFrom(1, 100),
      async (events, tags, onlyQuery, limit) => {
        const owner = { ...SHOP, storeId: `shop-${stores++}` }
        await made.append(owner, events)
        const query: ReportQuery = {
          report: 'experiments',
          fromMs: START_MS,
          toMs: START_MS + 20 * 60_000,
          tags,
          needsAllTags: false,
          ...(onlyQuery === undefined ? {} : { onlyQuery }),
          interval: 'day',
          orderBy: 'clicks',
          limit,
        }
        const counts = await made.reports.count(owner, query)
        assert.deepEqual(counts, naiveReport(made.log(owner), query))
        for (const { wins, losses, revenue } of (counts as CountsByReport['experiments']).rows) {
          decided += wins + losses + (revenue === 0 ? 0 : 1)
        }
        // A separate store for each history: closing it frees its memory.
        await made.database.sweep(new Set())
      },
    ),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 20) },
  )
  assert.ok(decided >= 3, `${decided} outcomes say too little`)
})
