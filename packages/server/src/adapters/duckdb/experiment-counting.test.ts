import assert from 'node:assert/strict'
import { test } from 'node:test'
import { POPULARITY_TRIAL_ID } from '@aisle/contract'
import type { CountsByReport, VisitorEvent } from '@aisle/event-log'
import fc from 'fast-check'
import { assertCountedAsNaive } from './report-database-for-test.ts'

const START_MS = Date.UTC(2026, 1, 1)
/** Between two searches: some twenty of them fill three days. */
const STEP_MS = 3 * 3_600_000
const ids = fc.uniqueArray(fc.constantFrom('d1', 'd2', 'd3', 'd4'), { maxLength: 3 })
/** A search as the service records it, and what is clicked then. */
const search = fc.record({
  session: fc.constantFrom('s1', 's2', 's3', 's4'),
  query: fc.constantFrom('tent', 'stove', ''),
  experiment: fc.option(
    fc.record({
      id: fc.constantFrom('one', POPULARITY_TRIAL_ID),
      arm: fc.constantFrom('live', 'draft', 'interleaved'),
      live: ids,
      draft: ids,
    }),
    { nil: undefined },
  ),
  /** As searches of a popularity trial were recorded before it was an experiment. */
  trial: fc.option(fc.record({ with: ids, without: ids }), { nil: undefined, freq: 2 }),
  clicked: ids,
  /** Minutes until that; the next search may come first. */
  afterMinutes: fc.constantFrom(0, 1, 25, 60),
  paid: fc.constantFrom(undefined, undefined, 10, 0.115, -5, 5_000),
  currency: fc.constantFrom('EUR', 'EUR', undefined),
  tags: fc.uniqueArray(fc.constantFrom('web', 'device:phone', 'device:tv', ''), { maxLength: 3 }),
})

const history = fc.array(search, { minLength: 5, maxLength: 30, size: 'max' }).map((searches) =>
  searches.flatMap(
    ({ session, query, experiment, trial, clicked, afterMinutes, paid, currency, tags }, i) => {
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
        atMs: START_MS + i * STEP_MS + (n === 0 ? 0 : afterMinutes * 60_000) + n * 100,
        receivedMs: START_MS + i * STEP_MS + (n === 0 ? 0 : afterMinutes * 60_000) + n * 100,
        visitor: { sessionId: session },
        properties: p as VisitorEvent['properties'],
      })
      const properties = {
        query,
        search_id: `search ${i}`,
        ...(experiment === undefined ? {} : { experiment }),
        ...(trial === undefined ? {} : { popularity_trial: trial }),
        analytics_tags: tags,
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
    },
  ),
)

const asked = fc.record({
  report: fc.constantFrom('experiments', 'experiments', 'popularity-trial'),
  fromMs: fc.constant(START_MS),
  toMs: fc.constantFrom(START_MS + 20 * STEP_MS, START_MS + 60 * STEP_MS),
  tags: fc.constantFrom([], ['web']),
  onlyQuery: fc.constantFrom(undefined, 'tent', '*'),
  experimentId: fc.constantFrom(undefined, 'one', POPULARITY_TRIAL_ID),
  tagPrefix: fc.constantFrom(undefined, '', 'device:'),
  limit: fc.constantFrom(1, 100),
})

test('experiments are counted as the naive reports count them', async () => {
  let decided = 0
  let days = 0
  let trials = 0
  let tagged = 0
  await assertCountedAsNaive(history, asked, (counts, { report }) => {
    if (report === 'popularity-trial') {
      trials += (counts as CountsByReport['popularity-trial']).totals.wins
      return
    }
    const experiments = counts as CountsByReport['experiments']
    days += experiments.days.length
    tagged += experiments.byTag.filter(({ clickedVisitors }) => clickedVisitors > 0).length
    for (const { wins, losses, revenue } of experiments.rows) {
      decided += wins + losses + (revenue === 0 ? 0 : 1)
    }
  })
  assert.ok(
    decided >= 3 && days >= 3 && trials >= 1 && tagged >= 3,
    `${decided}, ${days}, ${trials}, ${tagged}: too few`,
  )
})
