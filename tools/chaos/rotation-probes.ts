import { createHmac } from 'node:crypto'
import { logEnd, readLog } from '@aisle/event-log'
import type { EventStore } from '../events/event-store.ts'
import { eventBatch, type HttpAnswer, type HttpClient, type HttpRequest } from '@aisle/testing'

/** The purpose of a secret of a store, for a probe. */
export type Lock =
  | { readonly kind: 'read' | 'write' | 'events'; readonly storeId: string }
  /** Its other keys stay unchanged. */
  | { readonly kind: 'signing'; readonly storeId: string; readonly store: EventStore }

const USER = 'ada'
const CLICK = { search_id: 's', object_id: '1', position: 1 }

/** @returns whether the secret was accepted as it should be, and the status */
export async function probeSecret(
  client: HttpClient,
  lock: Lock,
  secret: string,
  count: number,
): Promise<{ isTaken: boolean; status: number }> {
  if (lock.kind === 'signing') return probeSignature(client, lock.store, secret, count)
  const { status } = await client.send(requestOf(lock.storeId, lock.kind, secret, count))
  return { isTaken: status === 200, status }
}

/** A request that gets 200 with a valid secret, whatever the store contains. */
function requestOf(
  storeId: string,
  kind: 'read' | 'write' | 'events',
  secret: string,
  count: number,
): HttpRequest {
  switch (kind) {
    case 'read':
      return {
        method: 'POST',
        path: '/v1/search',
        headers: {
          'content-type': 'application/json',
          'x-storeid': storeId,
          'x-storesecret': secret,
        },
        body: '{"q":"*"}',
      }
    case 'write':
      return {
        method: 'GET',
        path: `/api/v1/stores/${storeId}/settings`,
        headers: { 'x-storeid': storeId, 'x-store-write-secret': secret },
      }
    case 'events':
      return eventOf(secret, `m${count}`, {})
  }
}

function eventOf(
  writeKey: string,
  messageId: string,
  headers: Readonly<Record<string, string>>,
): HttpRequest {
  const event = {
    type: 'track',
    event: 'Object Clicked',
    messageId,
    anonymousId: 'a',
    userId: USER,
  }
  const timestamp = new Date().toISOString()
  const batch = [{ ...event, timestamp, properties: CLICK }]
  return { ...eventBatch(writeKey, batch), headers }
}

/**
 * A signature alone grants nothing: with a valid one the event is stored with its user, else
 * without.
 */
async function probeSignature(
  client: HttpClient,
  { writeKey, files }: EventStore,
  secret: string,
  count: number,
): Promise<{ isTaken: boolean; status: number }> {
  const messageId = `signed-${count}`
  const signature = createHmac('sha256', secret).update(USER).digest('hex')
  const from = logEnd(files)
  const answer: HttpAnswer = await client.send(
    eventOf(writeKey, messageId, { 'x-user-id': USER, 'x-user-signature': signature }),
  )
  const end = logEnd(files)
  for (let at = from; at < end;) {
    const page = readLog(files, at, end)
    for (const { entry } of page.records) {
      if (entry.kind !== 'event' || entry.messageId !== messageId) continue
      return { isTaken: entry.visitor.userId === USER, status: answer.status }
    }
    if (page.next === at) break
    at = page.next
  }
  throw new Error(`${answer.status}, and the event is not in the log: ${answer.body.toString()}`)
}
