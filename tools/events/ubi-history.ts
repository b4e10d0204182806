import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '@aisle/testing'
import { UNPACKED } from '../lib/data-folder.ts'

const FILE = 'icecat_ubi_events.jsonl'

/** A line of `icecat_ubi_events.jsonl`, with the time assigned here. */
export interface UbiEvent {
  readonly type: string
  readonly anon: string
  readonly session: string
  readonly search_id: string
  readonly query: string
  readonly product_id?: string
  readonly position?: number
  readonly facet?: string
  readonly value?: string
  readonly revenue?: number
  /** Unique here: in the file all purchases have the same id. */
  readonly order_id?: string
  readonly atMs: number
}

const DAYS = 90
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** The file's milliseconds within a session become these. */
const STRETCHED = 60

const NAMES: Readonly<Record<string, string>> = {
  search: 'Search Submitted',
  impression: 'Search Impression',
  facet: 'Facet Applied',
  view: 'Object Viewed',
  click: 'Object Clicked',
  add_to_cart: 'Product Added',
  purchase: 'Order Completed',
  // Names that are not canonical: ignored.
  sort: 'Sort Changed',
  declined: 'Object Declined',
}

/** The file, if the unpacked data sets exist. */
export function ubiFile(): string | undefined {
  return [process.env['AISLE_DATASETS'], UNPACKED]
    .flatMap((folder) => (folder === undefined ? [] : join(folder, 'events', FILE)))
    .find((file) => existsSync(file))
}

/**
 * The events of the file, spread over 90 days that end at a given time. In the file all happen
 * within four minutes: each session moves to its own day and hour, mostly in the afternoon, always
 * the same ones.
 */
export function ubiHistory(file: string, endMs: number): UbiEvent[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const random = seededRandom(42)
  const starts = new Map<string, { readonly fileMs: number; readonly startMs: number }>()
  return lines.map((line, i) => {
    const { ts, ...event } = JSON.parse(line) as Omit<UbiEvent, 'atMs'> & { ts: number }
    let start = starts.get(event.session)
    if (start === undefined) {
      const day = Math.floor(random() * DAYS)
      const hour = (random() + random()) * 11 + 1
      start = { fileMs: ts, startMs: endMs - (DAYS - day) * DAY_MS + Math.floor(hour * HOUR_MS) }
      starts.set(event.session, start)
    }
    const atMs = start.startMs + (ts - start.fileMs) * STRETCHED
    return { ...event, atMs, ...(event.order_id === undefined ? {} : { order_id: `order-${i}` }) }
  })
}

/** In the form of stock clients. */
export function canonicalEvent(event: UbiEvent, messageId: string): object {
  const { type, anon, session, search_id, query, product_id, position, facet, value } = event
  const properties = {
    search_id,
    query,
    session_id: session,
    object_id: product_id,
    ...(type === 'click' ? { position } : {}),
    ...(type === 'facet' ? { facet, value } : {}),
    ...(type === 'purchase'
      ? { order_id: event.order_id, revenue: event.revenue, currency: 'EUR' }
      : {}),
  }
  return {
    type: 'track',
    event: NAMES[type] ?? type,
    messageId,
    anonymousId: anon,
    timestamp: new Date(event.atMs).toISOString(),
    properties,
  }
}

export function canonicalName(type: string): string {
  return NAMES[type] ?? type
}
