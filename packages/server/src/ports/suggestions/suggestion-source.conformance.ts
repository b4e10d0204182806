import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import type { VisitorEvent } from '@aisle/event-log'
import { readTyped } from '@aisle/suggestions'
import type { EventLog, LogOwner } from '../events/event-log.ts'
import type { StoreSuggestions, SuggestionSource } from './suggestion-source.ts'

const SHOP: LogOwner = { storeId: 'shop', createdAt: '2026-01-01T00:00:00.000Z' }
const OTHER: LogOwner = { storeId: 'other', createdAt: '2026-01-01T00:00:00.000Z' }
export const SUGGESTION_OWNERS = [SHOP, OTHER]

export interface SuggestionSourceUnderTest {
  readonly source: SuggestionSource
  readonly events: EventLog
  /** Current time for new events, in milliseconds. */
  readonly nowMs: number
  /** Resolves when everything in the log is part of the suggestions. */
  settle(): Promise<void>
}

function search(query: string, sessionId: string, atMs: number): VisitorEvent {
  return {
    kind: 'event',
    name: 'search',
    source: 'simple',
    messageId: `${query} ${sessionId}`,
    atMs,
    receivedMs: atMs,
    visitor: { sessionId },
    properties: { query, total_results: 1 },
  }
}

function click(id: string, network: string, atMs: number): VisitorEvent {
  return {
    kind: 'event',
    name: 'click',
    source: 'simple',
    messageId: `${id} ${network}`,
    atMs,
    receivedMs: atMs,
    visitor: { sessionId: network, client: network, network },
    properties: { query: 'tent', document_id: id, position: 1 },
  }
}

function ask({ matcher }: StoreSuggestions, q: string): string[] {
  const { found } = matcher.match({
    typed: readTyped(q, createAnalyzer('en')),
    window: 0,
    depth: 10,
    minPopularity: 0,
    minSessions: 1,
    minNetworks: 1,
    tags: [],
    allTags: false,
    beginningOnly: false,
    typos: true,
    interests: [],
  })
  return found.map(({ entry }) => matcher.index.texts.get(entry))
}

/** Every SuggestionSource must pass this; each adapter calls it from its own test file. */
export function suggestionSourceConformance(
  name: string,
  create: () => Promise<SuggestionSourceUnderTest & AsyncDisposable>,
): void {
  suite(`${name} conforms to SuggestionSource`, () => {
    test('queries of the visitors of a store are suggested in that store', async () => {
      await using made = await create()
      const { events, source, nowMs } = made
      const entries = [
        search('tent', 'a', nowMs),
        search('tea', 'b', nowMs),
        search('tent', 'c', nowMs),
      ]
      await events.append(SHOP, { entries, refused: [] })
      await events.append(OTHER, { entries: [search('table', 'a', nowMs)], refused: [] })
      await made.settle()
      assert.deepEqual(ask((await source.of(SHOP))!, 'te'), ['tent', 'tea'])
      assert.deepEqual(ask((await source.of(OTHER))!, 't'), ['table'])
    })

    test('documents that visitors from several networks click on are popular, in their store', async () => {
      await using made = await create()
      const { events, source, nowMs } = made
      const clicks = ['a', 'b', 'c'].flatMap((network) => [
        click('7', network, nowMs),
        ...(network === 'a' ? [click('8', network, nowMs)] : []),
      ])
      await events.append(SHOP, { entries: clicks, refused: [] })
      await made.settle()
      const { index } = source.popularity(SHOP)!
      assert.deepEqual([...index.documents.docKeys], [7])
      assert.deepEqual([...index.appealOf('tent')], [[7, 3 / 23]])
      assert.deepEqual([...index.appealOf('lamp')], [])
      const learned = index.learnedOf('tent').get(7)!
      assert.deepEqual([learned.lift, learned.clicks], [0, 2], 'two prove nothing')
      assert.deepEqual([...index.learnedOf('lamp')], [])
      assert.equal(source.popularity(OTHER)?.index.documents.docKeys.length ?? 0, 0)
    })

    test('later events are added, and visitors are known', async () => {
      await using made = await create()
      const { events, source, nowMs } = made
      for (const query of ['tent', 'lamp']) {
        await events.append(SHOP, { entries: [search(query, 'a', nowMs)], refused: [] })
        await made.settle()
        assert.deepEqual(ask((await source.of(SHOP))!, query), [query])
      }
      const items = (await source.of(SHOP))!.profiles.of({ sessionId: 'a' })
      assert.deepEqual(
        items.map(({ key }) => key),
        ['tent', 'lamp'],
      )
    })
  })
}
