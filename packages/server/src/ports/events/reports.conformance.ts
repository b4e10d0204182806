import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { REPORT_NAMES, REPORT_ORDERS } from '@aisle/contract'
import { naiveJourney, naiveReport } from '@aisle/event-log'
import type {
  Identification,
  JourneyPlace,
  JourneyStep,
  LogEntry,
  ReportQuery,
  VisitorEvent,
  VisitorIds,
} from '@aisle/event-log'
import { generatedRuns } from '@aisle/testing'
import fc from 'fast-check'
import type { LogOwner } from './event-log.ts'
import { arbitraryHistory, HISTORY_END_MS, HISTORY_START_MS } from './report-history-fixture.ts'
import type { Reports } from './reports.ts'

const SHOP: LogOwner = { storeId: 'shop', createdAt: '2026-01-01T00:00:00.000Z' }
const OTHER: LogOwner = { storeId: 'other', createdAt: '2026-01-01T00:00:00.000Z' }

export interface ReportsUnderTest extends AsyncDisposable {
  readonly reports: Reports
  append(owner: LogOwner, entries: readonly (VisitorEvent | Identification)[]): Promise<void>
  /** Content of the log, by position. */
  log(owner: LogOwner): Promise<readonly { readonly position: number; readonly entry: LogEntry }[]>
}

const QUERY: ReportQuery = {
  report: 'overview',
  fromMs: HISTORY_START_MS,
  toMs: HISTORY_END_MS,
  tags: [],
  needsAllTags: false,
  interval: 'day',
  orderBy: 'clicks',
  limit: 100,
}

const arbitraryQuery: fc.Arbitrary<ReportQuery> = fc
  .record({
    report: fc.constantFrom(...REPORT_NAMES),
    hours: fc.tuple(fc.integer({ min: 0, max: 47 }), fc.integer({ min: 1, max: 48 })),
    tags: fc.uniqueArray(fc.constantFrom('mobile', 'nl', 'a b'), { maxLength: 2 }),
    needsAllTags: fc.boolean(),
    onlyQuery: fc.option(fc.constantFrom('sh', 'shoe', 'tent', '*', 'étui 🎒', 'sofa'), {
      nil: undefined,
    }),
    interval: fc.constantFrom('hour', 'day', 'week'),
    orderBy: fc.constantFrom(...REPORT_ORDERS),
    limit: fc.constantFrom(1, 2, 100),
  })
  .map(({ hours: [start, length], onlyQuery, ...rest }) => {
    const fromMs = HISTORY_START_MS + start * 3_600_000
    const about = onlyQuery === undefined ? {} : { onlyQuery }
    return { ...rest, ...about, fromMs, toMs: fromMs + length * 3_600_000 } as ReportQuery
  })

const arbitraryVisitor: fc.Arbitrary<VisitorIds> = fc.constantFrom(
  { userId: 'u1' },
  { anonymousId: 'a1' },
  { sessionId: 's1' },
  { userId: 'u2', anonymousId: 'a2' },
  { userId: 'nobody' },
)

/** Every Reports must pass this; each adapter calls it from its own test file. */
export function reportsConformance(name: string, create: () => Promise<ReportsUnderTest>): void {
  const allReports = async (made: ReportsUnderTest, owner = SHOP): Promise<unknown[]> => {
    const counts = []
    for (const report of REPORT_NAMES)
      counts.push(await made.reports.count(owner, { ...QUERY, report }))
    return counts
  }
  const naively = async (made: ReportsUnderTest): Promise<unknown[]> => {
    const log = await made.log(SHOP)
    return REPORT_NAMES.map((report) => naiveReport(log, { ...QUERY, report }))
  }

  suite(`${name} conforms to Reports`, () => {
    test('every report equals the naive one, also after new events', async () => {
      await fc.assert(
        fc.asyncProperty(
          arbitraryHistory,
          fc.array(arbitraryQuery, { minLength: 3, maxLength: 12 }),
          fc.nat(60),
          async (history, queries, cut) => {
            await using made = await create()
            await made.append(SHOP, history.slice(0, cut))
            await made.reports.count(SHOP, queries[0]!)
            await made.append(SHOP, history.slice(cut))
            const log = await made.log(SHOP)
            for (const query of queries) {
              assert.deepEqual(await made.reports.count(SHOP, query), naiveReport(log, query))
            }
          },
        ),
        { numRuns: generatedRuns(6) },
      )
    })

    test('a rebuild changes nothing, and stores are separate', async () => {
      const [history = []] = fc.sample(arbitraryHistory, { numRuns: 1, seed: 7 })
      await using made = await create()
      await made.append(SHOP, history)
      const before = await allReports(made)
      const empty = await allReports(made, OTHER)
      assert.equal(await made.reports.rebuild(SHOP), history.length)
      assert.deepEqual(await allReports(made), before)
      assert.notDeepEqual(before, empty)
      await made.reports.rebuild(OTHER)
      assert.deepEqual(await allReports(made, OTHER), empty)
    })

    test('erased visitors are in no report, and reports on others are as if they had never existed', async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryHistory, arbitraryVisitor, async (history, visitor) => {
          await using made = await create()
          await made.append(SHOP, history)
          await allReports(made)
          const before = (await made.log(SHOP)).length
          const erased = await made.reports.erase(SHOP, visitor)
          assert.equal((await made.log(SHOP)).length, before - erased)
          assert.deepEqual(await allReports(made), await naively(made))
          assert.equal(await made.reports.erase(SHOP, visitor), 0)
          const rest = { visitor, fromMs: 0, toMs: HISTORY_END_MS * 2, limit: 1_000 }
          assert.deepEqual(await made.reports.journey(SHOP, rest), { steps: [] })
        }),
        { numRuns: generatedRuns(2) },
      )
    })

    test('a journey has the events that erasing the visitor would remove, and its pages are complete', async () => {
      await fc.assert(
        fc.asyncProperty(
          arbitraryHistory,
          arbitraryVisitor,
          fc.integer({ min: 1, max: 12 }),
          fc.integer({ min: 0, max: 30 }),
          async (history, visitor, limit, hours) => {
            await using made = await create()
            await made.append(SHOP, history)
            const log = await made.log(SHOP)
            const period = {
              visitor,
              fromMs: HISTORY_START_MS + hours * 3_600_000,
              toMs: HISTORY_END_MS + 6e7,
            }
            const whole = naiveJourney(log, { ...period, limit: 1_000 })
            const steps: JourneyStep[] = []
            for (let after: JourneyPlace | undefined; ;) {
              const query = { ...period, limit, ...(after === undefined ? {} : { after }) }
              const page = await made.reports.journey(SHOP, query)
              assert.deepEqual(page, naiveJourney(log, query))
              steps.push(...page.steps)
              if (page.next === undefined) break
              after = page.next
            }
            assert.deepEqual(steps, whole.steps)
            if (hours > 0) return
            assert.equal(await made.reports.erase(SHOP, visitor), steps.length)
          },
        ),
        { numRuns: generatedRuns(5) },
      )
    })

    test('a user is erased with the ids that nobody else used', async () => {
      await using made = await create()
      const event = (
        messageId: string,
        visitor: VisitorEvent['visitor'],
        atMs = HISTORY_START_MS,
      ): VisitorEvent => ({
        kind: 'event',
        name: 'click',
        source: 'simple',
        messageId,
        atMs,
        receivedMs: HISTORY_START_MS,
        visitor,
        properties: { query: 'q', document_id: 'd' },
      })
      await made.append(SHOP, [
        event('before the login', { anonymousId: 'own' }),
        event('login', { userId: 'u', anonymousId: 'own', sessionId: 'own' }),
        event('by session', { sessionId: 'own' }),
        event('shared browser', { userId: 'u', anonymousId: 'shared' }),
        event('of somebody else', { userId: 'v', anonymousId: 'shared' }),
        event('of either', { anonymousId: 'shared' }),
      ])
      assert.equal(await made.reports.erase(SHOP, { userId: 'u' }), 4)
      const left = async (): Promise<string[]> =>
        (await made.log(SHOP)).flatMap(({ entry }) =>
          entry.kind === 'tally' ? [] : [entry.messageId],
        )
      assert.deepEqual(await left(), ['of somebody else', 'of either'])

      // Late events of an offline device are rejected; events from now on are accepted.
      await made.append(SHOP, [
        event('late', { userId: 'u' }),
        event('late, without the name', { anonymousId: 'own' }),
        event('late, of a session', { sessionId: 'own', anonymousId: 'new' }),
        event('late, of the shared browser', { anonymousId: 'shared' }),
        event('of another user at the old browser', { userId: 'w', anonymousId: 'own' }),
        event('came back', { userId: 'u' }, Date.UTC(2099, 0, 1)),
      ])
      assert.deepEqual(await left(), [
        'of somebody else',
        'of either',
        'late, of the shared browser',
        'of another user at the old browser',
        'came back',
      ])
    })

    test('old events are removed from the log and from the reports', async () => {
      const [history = []] = fc.sample(arbitraryHistory, { numRuns: 1, seed: 11 })
      await using made = await create()
      await made.append(SHOP, history)
      await allReports(made)
      const { oldestReceivedMs } = await made.reports.dropBefore(SHOP, HISTORY_START_MS + 6e7)
      assert.deepEqual(await allReports(made), await naively(made))
      const left = (await made.log(SHOP)).filter(({ entry }) => entry.kind !== 'tally')
      assert.equal(oldestReceivedMs, left[0]?.entry.receivedMs)
      const all = await made.reports.dropBefore(SHOP, Number.MAX_SAFE_INTEGER)
      assert.equal(all.oldestReceivedMs, undefined)
      assert.deepEqual(await made.log(SHOP), [])
      assert.deepEqual(await allReports(made), await allReports(made, OTHER))
    })
  })
}
