import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { logNameOf } from '@aisle/event-log'
import type { ReportQuery, VisitorEvent } from '@aisle/event-log'
import { FairSteps } from '../../domain/turns/fair-steps.ts'
import type { LogOwner } from '../../ports/events/event-log.ts'
import { ReportedFolder } from './report-database-for-test.ts'

const START_MS = Date.UTC(2026, 1, 1)
const LARGE: LogOwner = { storeId: 'large', createdAt: '2026-01-01T00:00:00.000Z' }
const SMALL: LogOwner = { ...LARGE, storeId: 'small' }
const QUERY: ReportQuery = {
  report: 'top-queries',
  fromMs: START_MS,
  toMs: START_MS + 86_400_000,
  tags: [],
  needsAllTags: false,
  interval: 'hour',
  orderBy: 'clicks',
  limit: 10_000,
}

suite('turns on the thread of reports', () => {
  test('a store that asks for little has no step of a busy store between its statements', async () => {
    await using made = new ReportedFolder()
    const steps = new RecordedSteps()
    await made.reopen({ steps })
    await made.append(LARGE, searches(3_000))
    await made.append(SMALL, searches(3))
    // The large one has used the thread more.
    for (const owner of [SMALL, LARGE, LARGE, LARGE, LARGE]) await made.reports.count(owner, QUERY)

    steps.owners.length = 0
    const large = [1, 2, 3].map(() => made.reports.count(LARGE, QUERY))
    await steps.taken(20)
    await made.reports.count(SMALL, { ...QUERY, report: 'overview' })
    await Promise.all(large)
    const small = logNameOf(SMALL)
    const from = steps.owners.indexOf(small)
    const to = steps.owners.lastIndexOf(small)
    assert.ok(from >= 20 && to < steps.owners.length - 1, 'its report is beside the others')
    const others = steps.owners.slice(from, to).filter((owner) => owner !== small)
    assert.equal(others.length, 0)
  })

  test('a long page of events is read, added and shown in many short steps', async () => {
    await using made = new ReportedFolder()
    const steps = new RecordedSteps()
    await made.reopen({ steps })
    await made.append(LARGE, searches(5_000))
    await made.database.advance(logNameOf(LARGE), made.logs.end(logNameOf(LARGE)))
    const before = steps.owners.length
    assert.ok(before >= 5_000 / 50, `${before} steps`)
    assert.equal((await made.reports.count(LARGE, QUERY)).rows.length, 5_000)
  })
})

/** Time passes by steps alone: each takes a tenth of a millisecond. */
class RecordedSteps extends FairSteps {
  readonly owners: string[] = []
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = []

  constructor() {
    super({
      defer: setImmediate,
      wait: setImmediate,
      nowMs: () => this.owners.length / 10,
    })
  }

  /** Resolves when that many steps were taken. */
  taken(count: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ count, resolve }))
  }

  override run(owner: string, step: () => boolean): Promise<void> {
    return super.run(owner, () => {
      this.owners.push(owner)
      for (const { count, resolve } of this.#waiting) if (this.owners.length >= count) resolve()
      return step()
    })
  }
}

function searches(count: number): VisitorEvent[] {
  return Array.from({ length: count }, (_, i) => ({
    kind: 'event',
    name: 'Search Submitted',
    source: 'canonical',
    messageId: `search ${i}`,
    atMs: START_MS + i * 1_000,
    receivedMs: START_MS + i * 1_000,
    visitor: { anonymousId: `visitor ${i}` },
    properties: { search_id: `search ${i}`, query: `query ${i}`, num_found: 1 },
  }))
}
