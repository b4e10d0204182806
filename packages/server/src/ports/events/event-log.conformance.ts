import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import type { VisitorEvent } from '@aisle/event-log'
import { until } from '@aisle/testing'
import type { EventLog, LogOwner, TailBatch } from './event-log.ts'

const SHOP: LogOwner = { storeId: 'shop', createdAt: '2026-01-01T00:00:00.000Z' }
const OTHER: LogOwner = { storeId: 'other', createdAt: '2026-01-01T00:00:00.000Z' }

function event(messageId: string): VisitorEvent {
  return {
    kind: 'event',
    name: 'click',
    source: 'simple',
    messageId,
    atMs: 1,
    receivedMs: 2,
    visitor: { sessionId: 's' },
    properties: { query: 'q' },
  }
}

export interface EventLogUnderTest {
  readonly log: EventLog
  /** Returns the stored message ids, in order. */
  stored(owner: LogOwner): Promise<string[]>
}

/** Every EventLog must pass this; each adapter calls it from its own test file. */
export function eventLogConformance(
  name: string,
  create: () => Promise<EventLogUnderTest & AsyncDisposable>,
): void {
  const append = (log: EventLog, owner: LogOwner, ...ids: string[]): Promise<readonly number[]> =>
    log.append(owner, { entries: ids.map(event), refused: [] })

  suite(`${name} conforms to EventLog`, () => {
    test('acknowledged events are stored in order, and duplicates are named', async () => {
      await using made = await create()
      assert.deepEqual(await append(made.log, SHOP, '1', '2', '1'), [2])
      assert.deepEqual(await append(made.log, SHOP, '3', '2'), [1])
      assert.deepEqual(await made.stored(SHOP), ['1', '2', '3'])
    })

    test('a check reports the duplicates of an append, and stores nothing', async () => {
      await using made = await create()
      const batch = ['1', '2', '1', '3'].map(event)
      assert.deepEqual(await made.log.known(SHOP, batch), [2])
      assert.deepEqual(await made.stored(SHOP), [])
      await append(made.log, SHOP, '3', '1')
      for (const _ of [1, 2]) assert.deepEqual(await made.log.known(SHOP, batch), [0, 2, 3])
      assert.deepEqual(await made.log.known(OTHER, batch), [2])
      assert.deepEqual(await made.log.known(SHOP, []), [])
      assert.deepEqual(await append(made.log, SHOP, '1', '2', '1', '3'), [0, 2, 3])
    })

    test('stores are separate, also from an earlier store with the same id', async () => {
      await using made = await create()
      const again = { ...SHOP, createdAt: '2026-02-02T00:00:00.000Z' }
      for (const owner of [SHOP, OTHER, again]) {
        assert.deepEqual(await append(made.log, owner, '1'), [])
      }
      assert.deepEqual(await made.stored(again), ['1'])
    })

    test('concurrent batches are all answered, and each id counts once', async () => {
      await using made = await create()
      const ids = Array.from({ length: 50 }, (_, i) => `${i % 10}`)
      const answers = await Promise.all(ids.map((id) => append(made.log, SHOP, id)))
      assert.equal(answers.filter((places) => places.length === 0).length, 10)
      assert.equal((await made.stored(SHOP)).length, 10)
    })

    test('offered events arrive', async () => {
      await using made = await create()
      assert.equal(made.log.offer(SHOP, event('1')), true)
      await until('an event', async () => (await made.stored(SHOP)).length > 0)
      assert.deepEqual(await made.stored(SHOP), ['1'])
    })

    test('the tail receives events of its store only, with verdicts, until it is ended', async () => {
      await using made = await create()
      const heard: TailBatch[] = []
      const end = made.log.tail(SHOP, (batch) => heard.push(batch))
      const refused = {
        verdict: 'invalid',
        name: 'x',
        source: 'canonical',
        reasons: ['no'],
      } as const
      await append(made.log, OTHER, '1')
      await append(made.log, SHOP, '1')
      await made.log.append(SHOP, { entries: [event('1'), event('2')], refused: [refused] })
      await append(made.log, SHOP)
      end()
      await append(made.log, SHOP, '3')
      assert.deepEqual(
        heard.map(({ entries, duplicates, refused: out }) => [
          entries.map((one) => (one.kind === 'event' ? one.messageId : '')),
          duplicates,
          out,
        ]),
        [
          [['1'], [], []],
          [['1', '2'], [0], [refused]],
        ],
      )
    })

    test('a tail that begins later gets what came before it, refused events too', async () => {
      await using made = await create()
      const refused = {
        verdict: 'invalid',
        name: 'x',
        source: 'canonical',
        reasons: ['no'],
      } as const
      assert.deepEqual(await made.log.recent(SHOP), [])
      await append(made.log, OTHER, '1')
      await made.log.append(SHOP, { entries: [event('1')], refused: [refused] })
      await append(made.log, SHOP, '2')
      const heard: TailBatch[] = []
      const end = made.log.tail(SHOP, (batch) => heard.push(batch))
      const recent = await made.log.recent(SHOP)
      assert.deepEqual(
        recent.flatMap(({ entries }) =>
          entries.map((one) => (one.kind === 'event' ? one.messageId : '')),
        ),
        ['1', '2'],
      )
      assert.deepEqual(
        recent.flatMap((batch) => batch.refused),
        [refused],
      )
      assert.deepEqual(heard, [])
      end()
    })
  })
}
