import type { HttpRequest } from './http-client.ts'

const BATCH = 100

/** Events in the form of a client library, ready to be sent. */
export function eventBatch(writeKey: string, batch: readonly object[]): HttpRequest {
  const body = JSON.stringify({ writeKey, sentAt: new Date().toISOString(), batch })
  return { method: 'POST', path: '/v1/b', body }
}

/** Sends any number of events in batches. @returns the number of accepted ones */
export async function sendEvents(
  url: string,
  writeKey: string,
  events: readonly object[],
): Promise<number> {
  let count = 0
  for (let i = 0; i < events.length; i += BATCH) {
    const { method, path, body } = eventBatch(writeKey, events.slice(i, i + BATCH))
    const answer = await fetch(url + path, { method, body: body as string })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    count += ((await answer.json()) as { okEvents: number }).okEvents
  }
  return count
}
