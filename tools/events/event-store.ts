import { join } from 'node:path'
import { DiskLogFiles, logEnd, logNameOf, readLog, type LogEntry } from '@aisle/event-log'
import { ThinClient, type ServerProcess, type StoreKeys } from '@aisle/testing'

/** A store of a running server that receives events. */
export interface EventStore extends StoreKeys {
  readonly id: string
  /** Key for its events. */
  readonly writeKey: string
  readonly files: DiskLogFiles
}

export async function createEventStore(server: ServerProcess, id: string): Promise<EventStore> {
  using client = new ThinClient(server.url, { adminToken: server.adminToken })
  const keys = await client.createStore({ name: id, id })
  const log = logNameOf({ storeId: id, createdAt: await client.createdAt(id) })
  return {
    ...keys,
    id,
    writeKey: keys.eventsWriteKey,
    files: new DiskLogFiles(join(server.dataDir, 'events', log)),
  }
}

/** Reads the whole log of a store, page by page. */
export function* logEntries({ files }: EventStore): Generator<LogEntry> {
  const end = logEnd(files)
  for (let at = 0; ;) {
    const page = readLog(files, at, end)
    for (const { entry } of page.records) yield entry
    if (page.next === at) return
    at = page.next
  }
}

/** A click as sent by a stock browser client, with its `context`: about 900 bytes. */
export function stockEvent(messageId: string, writeKey: string): object {
  return {
    timestamp: new Date().toISOString(),
    integrations: {},
    type: 'track',
    event: 'Object Clicked',
    properties: {
      search_id: '6f1f0e1a-6f5e-4f0a-9a53-1d2b6f1f7c11',
      object_id: `sku-${messageId.length * 7}`,
      position: 4,
      surface: 'search results',
    },
    context: CONTEXT,
    messageId,
    anonymousId: '5d3c1b8e-0d0a-4a76-8a53-2f7f8c1f2d3e',
    writeKey,
    _metadata: { bundled: ['Segment.io'], unbundled: [], bundledIds: [] },
  }
}

const CONTEXT = {
  page: {
    path: '/search',
    referrer: 'https://shop.example.com/',
    search: '?q=dome+tent',
    title: 'Dome tent – search results – Example shop',
    url: 'https://shop.example.com/search?q=dome+tent',
  },
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  locale: 'en-GB',
  library: { name: 'analytics.js', version: 'npm:next-1.84.3' },
  timezone: 'Europe/Berlin',
}
