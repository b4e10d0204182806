import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { VisitorEvent } from '@aisle/event-log'
import { seededRandom } from '@aisle/testing'

const START_MS = Date.UTC(2026, 0, 1)
/** Time between the two searches of a visitor, and between visitors. */
const STEP_MS = 60_000
const VISITOR_MS = 600_000

interface RecordedSession {
  readonly query: string
  /** Clicked products with their positions, from 1. */
  readonly clicks: [id: string, position: number][]
}

/**
 * The recorded sessions of a shop have one query each and no times. Two random ones are combined to
 * one visitor who searches twice within a minute: nothing these visitors do implies that two
 * queries mean the same, unless the clicks do.
 */
export async function retrotechHistory(file: string, seed: number): Promise<VisitorEvent[]> {
  const sessions = [...(await readSessions(file)).values()]
  const random = seededRandom(seed)
  for (let i = sessions.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[sessions[i], sessions[j]] = [sessions[j]!, sessions[i]!]
  }
  return sessions.flatMap(({ query, clicks }, i) => {
    const visitor = { anonymousId: `visitor ${i >> 1}`, sessionId: `session ${i >> 1}` }
    const atMs = START_MS + (i >> 1) * VISITOR_MS + (i & 1) * STEP_MS
    const event = (
      name: string,
      ms: number,
      properties: VisitorEvent['properties'],
    ): VisitorEvent => ({
      kind: 'event',
      name,
      source: 'simple',
      messageId: `${name} ${i} ${ms}`,
      atMs: atMs + ms,
      receivedMs: atMs + ms,
      visitor,
      properties,
    })
    return [
      event('search', 0, { query, total_results: 20 }),
      ...clicks.map(([id, position], n) =>
        event('click', 1_000 + n, { query, document_id: id, position }),
      ),
    ]
  })
}

async function readSessions(file: string): Promise<Map<string, RecordedSession>> {
  const sessions = new Map<string, RecordedSession>()
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) })
  for await (const line of lines) {
    const [query = '', session = '', position, id = '', clicked] = line.split('\t')
    if (session === 'session') continue
    const key = `${query}\t${session}`
    const one = sessions.get(key) ?? { query, clicks: [] }
    sessions.set(key, one)
    if (clicked === '1') one.clicks.push([id, Number(position) + 1])
  }
  return sessions
}
