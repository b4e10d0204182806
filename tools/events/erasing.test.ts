import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ServerProcess, ThinClient, until } from '@aisle/testing'
import { createEventStore, logEntries, type EventStore } from './event-store.ts'
import { ReportStore } from './report-store.ts'

// Goal: an erased visitor is in no data derived from events, and does not return with late events;
// checked by the bytes on disk, also after a restart.

test('suggestions forget an erased visitor, and late events do not restore them', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'aisle-erasing-'))
  const start = (): Promise<ServerProcess> =>
    ServerProcess.start({ dataDir, threads: 1, environment: { AISLE_LOG_LEVEL: 'fatal' } })
  let server = await start()
  try {
    const store = await createEventStore(server, 'shop')
    await fillCatalog(server, store)
    let reports = ReportStore.of(server, store)
    const agoMs = Date.now() - 3_600_000
    await reports.send([
      search(
        'theirs',
        { userId: 'erased-user', anonymousId: 'erased-browser' },
        'secret lamp',
        agoMs,
      ),
      search('others', { anonymousId: 'other-browser' }, 'plain lamp', agoMs),
      click('their click', { userId: 'erased-user', anonymousId: 'erased-browser' }, agoMs),
      click('click', { anonymousId: 'other-browser' }, agoMs),
    ])
    await until('both queries', async () => (await suggested(server, store)).length === 2)

    await reports.call('DELETE', '/visitors?user_id=erased-user')
    await until('one query', async () => (await suggested(server, store)).join() === 'plain lamp')
    await reports.send([
      search('late', { userId: 'erased-user' }, 'secret lamp', agoMs),
      search('late too', { anonymousId: 'erased-browser' }, 'secret lamp', agoMs),
    ])
    await server.stop({ keepData: true })
    assert.deepEqual(traces(dataDir, /erased-user|erased-browser|secret lamp/), [])

    server = await start()
    reports = ReportStore.of(server, store)
    await reports.send([
      search('late again', { userId: 'erased-user' }, 'secret lamp', agoMs),
      search('came back', { userId: 'erased-user' }, 'secret lamp', Date.now()),
    ])
    assert.deepEqual(
      [...logEntries(store)].flatMap((entry) => (entry.kind === 'event' ? entry.messageId : [])),
      ['others', 'click', 'came back'],
    )
  } finally {
    await server.stop({ keepData: true })
    ServerProcess.removeData(dataDir)
  }
})

async function fillCatalog(server: ServerProcess, store: EventStore): Promise<void> {
  const client = new ThinClient(server.url, { adminToken: server.adminToken })
  const keys = { storeId: store.id, readSecret: store.readSecret, writeSecret: store.writeSecret }
  await client.setSchema(keys, { fields: [{ name: 'title', type: 'string', searchable: true }] })
  // Words of the queries, but not whole queries.
  await client.bulk(keys, ['{"id":"1","title":"lamp, secret"}', '{"id":"2","title":"lamp, plain"}'])
  client.close()
}

function search(messageId: string, visitor: object, query: string, atMs: number): object {
  return {
    type: 'track',
    event: 'Search Submitted',
    messageId,
    ...visitor,
    timestamp: new Date(atMs).toISOString(),
    properties: { query, num_found: 1 },
  }
}

/** Ends the typing of a search, which else lasts for seconds. */
function click(messageId: string, visitor: object, atMs: number): object {
  return {
    type: 'track',
    event: 'Object Clicked Outside Search',
    messageId,
    ...visitor,
    timestamp: new Date(atMs).toISOString(),
    properties: { object_id: '1' },
  }
}

async function suggested(server: ServerProcess, store: EventStore): Promise<string[]> {
  const answer = await fetch(`${server.url}/v1/suggestions/queries?q=lamp`, {
    headers: { 'x-storeid': store.id, 'x-storesecret': store.readSecret },
  })
  const { suggestions } = (await answer.json()) as { suggestions: readonly { query: string }[] }
  return suggestions.map(({ query }) => query).toSorted()
}

/** Files with events or derived data that contain a text. */
function traces(dataDir: string, text: RegExp): string[] {
  return ['events', 'reports', 'suggestions'].flatMap((folder) =>
    readdirSync(join(dataDir, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => text.test(readFileSync(path, 'latin1'))),
  )
}
