import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { REPORT_NAMES } from '@aisle/contract'
import { logNameOf, messageIdHash } from '@aisle/event-log'
import type { ReportCounts, ReportQuery, VisitorEvent } from '@aisle/event-log'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import type { EventDocument } from '../opensearch/event-document.ts'
import { losingFirstAnswer, NEEDS_CLUSTER, TEST_CLUSTER, until } from '@aisle/testing'
import fc from 'fast-check'
import {
  HISTORY_END_MS,
  HISTORY_START_MS,
  arbitraryHistory,
  eventLogConformance,
  reportsConformance,
} from '@aisle/server/test'
import type { LogOwner } from '@aisle/server/ports'
import { EventLogClient, EventLogServer } from '@aisle/server/parts'
import { documentId } from './event-appends.ts'
import {
  clickEvent,
  copyOf,
  entriesOf,
  openTestEvents,
  recordsOf,
  type TestEvents,
  type TestNode,
} from './cluster-events-for-test.ts'

const DAY_MS = 86_400_000
const LOG = 'shop.1'
/** Events that arrive together. */
const BATCH = 20
const QUERY: ReportQuery = {
  report: 'overview',
  fromMs: HISTORY_START_MS,
  toMs: HISTORY_END_MS,
  tags: [],
  needsAllTags: false,
  interval: 'hour',
  orderBy: 'clicks',
  limit: 100,
}
const NAME = 'The event log of a cluster, through a port'
const REPORTS_NAME = 'Reports on the event log of a cluster'

if (TEST_CLUSTER.length === 0) {
  test(`${NAME}, conforms`, NEEDS_CLUSTER)
  test(`${REPORTS_NAME}, conform`, NEEDS_CLUSTER)
} else {
  let shared: Promise<TestEvents> | undefined
  let first: Promise<TestNode> | undefined
  let runs = 0
  after(async () => (await shared)?.[Symbol.asyncDispose]())
  // Creating indices takes longer than all the rest, so each run has separate logs in the same
  // ones.
  reportsConformance(REPORTS_NAME, async () => {
    shared ??= openTestEvents()
    first ??= shared.then((events) => events.start({ now: () => HISTORY_END_MS }))
    const node = await first
    const { logs, reports } = node
    const run = ++runs
    const logOf = (owner: LogOwner): string => `run-${run}-${logNameOf(owner)}`
    return {
      reports: {
        count: (owner, query) => reports.count(logOf(owner), query),
        journey: (owner, query) => reports.journey(logOf(owner), query),
        rebuild: (owner) => reports.rebuild(logOf(owner)),
        erase: (owner, visitor) => reports.erase(logOf(owner), visitor),
        dropBefore: (owner, ms) => reports.dropBefore(logOf(owner), ms),
      },
      append: async (owner, entries) => {
        await logs.append(logOf(owner), { records: recordsOf(...entries) })
      },
      log: (owner) => copyOf(node, logOf(owner)),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }
  })
  eventLogConformance(NAME, async () => {
    const events = await openTestEvents()
    const node = await events.start()
    const { port1, port2 } = new MessageChannel()
    new EventLogServer(node.logs).serve(port1)
    const log = new EventLogClient()
    log.connect(port2)
    return {
      log,
      stored: async (owner) => {
        const entries = await entriesOf(node, logNameOf(owner))
        return entries.flatMap((one) => (one.kind === 'event' ? [one.messageId] : []))
      },
      async [Symbol.asyncDispose]() {
        port1.close()
        await events[Symbol.asyncDispose]()
      },
    }
  })
}

suite('Event logs on several nodes of a cluster', NEEDS_CLUSTER, () => {
  test('a message id counts once, even if several nodes accept it at the same time', async () => {
    await using events = await openTestEvents()
    const nodes = await Promise.all([events.start(), events.start(), events.start()])
    const ids = Array.from({ length: 60 }, (_, i) => `m${i % 20}`)
    const answers = await Promise.all(
      ids.map((id, i) => nodes[i % 3]!.logs.append(LOG, { records: recordsOf(clickEvent(id)) })),
    )
    assert.equal(answers.filter(({ duplicates }) => duplicates.length === 0).length, 20)
    const copies = await Promise.all(nodes.map((node) => eventsOf(node)))
    assert.equal(copies[0]!.length, 20)
    for (const copy of copies) assert.deepEqual(copy, copies[0], 'and all have the same order')
  })

  test('a message id counts once for seven days, also around the change of a week', async () => {
    await using events = await openTestEvents()
    const monday = Date.UTC(2026, 5, 1)
    const times = [monday - 120_000, monday - 1, monday, monday + 1, monday + 120_000]
    const resent = times.flatMap((ms) => [ms + 1_000, ms + 6 * DAY_MS, ms + 7 * DAY_MS - 1_000])
    for (const firstMs of times) {
      let nowMs = firstMs
      const [one, two] = await Promise.all([
        events.start({ now: () => nowMs }),
        events.start({ now: () => nowMs }),
      ])
      const log = `shop.${firstMs}`
      const append = async ({ logs }: TestNode): Promise<readonly number[]> => {
        const records = recordsOf(clickEvent('once', { receivedMs: nowMs }))
        return (await logs.append(log, { records })).duplicates
      }
      assert.deepEqual(await append(one), [])
      for (const againMs of resent.filter((ms) => ms > firstMs && ms - firstMs < 7 * DAY_MS)) {
        nowMs = againMs
        await using late = await events.start({ now: () => nowMs })
        for (const node of [two, one, late]) assert.deepEqual(await append(node), [0])
      }
      for (const node of [one, two]) {
        assert.equal((await eventsOf(node, log)).length, 1)
        await node[Symbol.asyncDispose]()
      }
    }
  })

  test('what was refused or known is counted, in every copy alike', async () => {
    await using events = await openTestEvents()
    const [one, two] = await Promise.all([events.start(), events.start()])
    const counts = [{ name: 'Odd', verdict: 'invalid', count: 3 }] as const
    const records = recordsOf(clickEvent('1'), clickEvent('2'))
    await one.logs.append(LOG, { records, counts })
    // Unknown to its copy, perhaps: the cluster says so, and it is counted with the next.
    await two.logs.append(LOG, { records })
    await two.logs.append(LOG, { records: recordsOf(clickEvent('1')) })
    await two.logs.append(LOG, { records: recordsOf(clickEvent('3')) })
    for (const node of [one, two]) {
      const tallies = (await entriesOf(node, LOG)).flatMap((entry) =>
        entry.kind === 'tally' ? entry.counts : [],
      )
      const count = (verdict: string): number =>
        tallies.filter((one) => one.verdict === verdict).reduce((sum, one) => sum + one.count, 0)
      assert.deepEqual([count('invalid'), count('duplicate')], [3, 3])
    }
  })

  test('an append whose answer was lost recognises its own write', async () => {
    await using events = await openTestEvents()
    await using proxy = await losingFirstAnswer(TEST_CLUSTER[0]!)
    const connection = new ClusterConnection({ urls: [proxy.url] })
    {
      await using node = await events.start({ connection })
      await node.logs.append(LOG, { records: recordsOf(clickEvent('0')) })
      proxy.loseNext()
      const records = recordsOf(clickEvent('1'), clickEvent('0'), clickEvent('1'))
      assert.deepEqual((await node.logs.append(LOG, { records })).duplicates, [1, 2])
      assert.equal((await eventsOf(node)).length, 2)
    }
    await connection.close()
  })

  test('the reports of all nodes are those of one log: of one that starts late, was away, was killed', async () => {
    await using events = await openTestEvents()
    const now = (): number => HISTORY_END_MS
    const [history = []] = fc.sample(arbitraryHistory, { numRuns: 1, seed: 5 })
    const third = Math.ceil(history.length / 3)
    const first = await events.start({ now })
    const away = await events.start({ now })
    const append = async (entries: typeof history): Promise<void> => {
      for (let at = 0; at < entries.length; at += BATCH) {
        await first.logs.append(LOG, { records: recordsOf(...entries.slice(at, at + BATCH)) })
      }
    }
    await append(history.slice(0, third))
    await reportsOf(away)
    await away[Symbol.asyncDispose]()
    // As a kill leaves it: files of some moment, what is known of them from an earlier one.
    const killed = mkdtempSync(join(tmpdir(), 'aisle-killed-'))
    await using running = await events.start({ now })
    await reportsOf(running)
    cpSync(join(running.folder, 'events-copied.json'), join(killed, 'events-copied.json'))
    await append(history.slice(third, 2 * third))
    await reportsOf(running)
    for (const part of ['events', 'reports']) {
      cpSync(join(running.folder, part), join(killed, part), { recursive: true })
    }
    await append(history.slice(2 * third))

    const expected = await reportsOf(first)
    assert.equal((await entriesOf(first, LOG)).length, history.length)
    const late = await events.start({ now })
    const back = await events.start({ now, folder: away.folder })
    const after = await events.start({ now, folder: killed })
    for (const node of [late, back, after, running]) {
      assert.deepEqual(await entriesOf(node, LOG), await entriesOf(first, LOG))
      assert.deepEqual(await reportsOf(node), expected)
    }
    const before = late.logs.ends().get(LOG)!
    await append([clickEvent('new', { name: 'search', receivedMs: HISTORY_START_MS + 3_600_000 })])
    await until('the event on another node', () => late.logs.ends().get(LOG)! > before)
    assert.notDeepEqual(await reportsOf(late), expected)
    assert.deepEqual(await reportsOf(late), await reportsOf(first))
  })

  test('an erased visitor is gone from every node and from the cluster, and does not come back', async () => {
    await using events = await openTestEvents()
    const now = (): number => HISTORY_END_MS
    const [here, there] = await Promise.all([events.start({ now }), events.start({ now })])
    const of = (userId: string, at: number) =>
      clickEvent(`${userId} ${at}`, {
        name: 'search',
        receivedMs: HISTORY_START_MS + at,
        visitor: { userId, anonymousId: `a ${userId}` },
      })
    const others = [of('stays', 1_000), of('stays', 5e6)]
    const gone = [of('goes', 2_000), of('goes', 3_000)]
    const anonymous = clickEvent('alone', {
      ...gone[0]!,
      messageId: 'alone',
      visitor: { anonymousId: 'a goes' },
    })
    await here.logs.append(LOG, { records: recordsOf(...others, ...gone, anonymous) })
    await reportsOf(there)
    const away = await events.start({ now })
    await reportsOf(away)
    await away[Symbol.asyncDispose]()

    assert.equal(await here.reports.erase(LOG, { userId: 'goes' }), 3)
    await until('the other node', () => there.removed.includes(LOG))
    assert.deepEqual(here.removed, [])
    // Sent again, and late ones, by nodes that know of it and one that does not yet.
    const late = [...gone, of('goes', 4_000)]
    for (const { logs } of [here, there]) {
      const { duplicates } = await logs.append(LOG, { records: recordsOf(...late) })
      assert.deepEqual(duplicates, [0, 1, 2])
    }
    const [week] = await events.index.weeks()
    const places = documentPlace(LOG, of('goes', 9_000))
    await events.index.create(week!, [places])
    assert.deepEqual(await eventsOf(here), ['stays 1000', 'stays 5000000'])
    assert.deepEqual(
      [...(await events.index.known(week!, [places]))],
      [],
      'the node that finds it removes it',
    )

    const back = await events.start({ now, folder: away.folder })
    await until('the node that was away', () => back.removed.includes(LOG))
    const later = await events.start({ now })
    const expected = await reportsOf(here)
    for (const node of [there, back, later]) {
      assert.deepEqual(await eventsOf(node), ['stays 1000', 'stays 5000000'])
      assert.deepEqual(await reportsOf(node), expected)
      for (const file of readdirSync(join(node.folder, 'events', LOG))) {
        const bytes = readFileSync(join(node.folder, 'events', LOG, file))
        assert.ok(!bytes.includes('goes'), file)
      }
    }
    // The bytes: the cluster itself keeps them for half a minute.
    const sweep = async (): Promise<boolean> => {
      await here.logs.sweep(new Map([[LOG, 1e9]]), Infinity)
      return (await events.index.states([week!]))[0]?.removedCount === 0
    }
    await until('rewritten segments', sweep, { timeoutMs: 90_000, pauseMs: 1_000 })
    assert.deepEqual(await reportsOf(later), expected)
  })

  test('events that are old go from every node: of one store by document, of all by week', async () => {
    await using events = await openTestEvents()
    const nowMs = Date.UTC(2026, 5, 24, 12)
    const here = await events.start({ now: () => nowMs })
    const other = 'other.1'
    const at = [30, 20, 10, 1].map((days) => nowMs - days * DAY_MS)
    for (const log of [LOG, other]) {
      for (const receivedMs of at) {
        await here.logs.append(log, {
          records: recordsOf(clickEvent(`${receivedMs}`, { receivedMs })),
        })
      }
    }
    const there = await events.start({ now: () => nowMs })
    for (const log of [LOG, other]) assert.equal((await eventsOf(there, log)).length, 4)
    assert.equal((await events.index.weeks()).length, 4)

    await here.reports.dropBefore(LOG, nowMs - 15 * DAY_MS)
    await until('the other node', () => there.removed.includes(LOG))
    const later = await events.start({ now: () => nowMs })
    for (const node of [here, there, later]) {
      assert.deepEqual(await eventsOf(node), at.slice(2).map(String))
      assert.equal((await eventsOf(node, other)).length, 4)
    }
    const living = new Map([LOG, other].map((log) => [log, 1e9]))
    await there.logs.sweep(new Map(), 15 * DAY_MS)
    assert.equal((await events.index.weeks()).length, 4, 'no stores at all are a mistake')
    await there.logs.sweep(living, 15 * DAY_MS)
    assert.equal((await events.index.weeks()).length, 2)
    assert.equal(
      (await here.logs.append(other, { records: recordsOf(clickEvent('new')) })).duplicates.length,
      0,
    )
    // A store that is gone takes its events along.
    await there.logs.sweep(new Map([[LOG, 1e9]]), 15 * DAY_MS)
    const last = await events.start({ now: () => nowMs })
    assert.deepEqual(await eventsOf(last, other), [])
    assert.deepEqual(await eventsOf(last), at.slice(2).map(String))
  })
})

function documentPlace(log: string, event: VisitorEvent): EventDocument {
  const record = recordsOf(event)
  const id = documentId(log, messageIdHash(event.messageId))
  return { id, log, receivedMs: event.receivedMs, record, operation: 'of a node' }
}

/** Every report, of everything. */
async function reportsOf({ reports }: TestNode): Promise<ReportCounts[]> {
  const counts: ReportCounts[] = []
  for (const report of REPORT_NAMES) counts.push(await reports.count(LOG, { ...QUERY, report }))
  return counts
}

async function eventsOf(node: TestNode, log = LOG): Promise<string[]> {
  const entries = await entriesOf(node, log)
  return entries.flatMap((one) => (one.kind === 'event' ? [one.messageId] : []))
}
