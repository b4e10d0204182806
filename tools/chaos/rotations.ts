import { setTimeout as sleep } from 'node:timers/promises'
import { HttpClient, ServerProcess, seededRandom } from '@aisle/testing'
import type { HttpRequest } from '@aisle/testing'
import { KeyHistory } from './key-history.ts'

export interface RotationOptions {
  readonly rotations: number
  readonly stores: number
  readonly seed: number
  readonly threads?: number
  readonly onProgress?: (report: RotationReport) => void
}

export interface RotationReport {
  rotations: number
  revocations: number
  /** Requests with some secret of a store, and those whose answer could only be one. */
  probes: number
  decided: number
  /** Accepted after their end, as it was answered, or a second after they ran out. */
  falseAccepts: number
  /** Refused although they were valid all the time. */
  falseRejects: number
  readonly problems: string[]
}

const KINDS = ['read', 'write', 'events'] as const
type Kind = (typeof KINDS)[number]

interface Slot {
  readonly storeId: string
  readonly kind: Kind
  readonly history: KeyHistory
  rotatedMs: number
}

const PROBERS = 8
/** Long enough for a secret with one second of grace to run out, and to be tried a second later. */
const ROTATED_AGAIN_MS = 2_500
/** Ends now, runs out while we look, outlives the next rotation. */
const GRACES_SECONDS = [0, 1, 1, 1, 60]
const REVOKED_SHARE = 0.2

/**
 * Rotates and revokes keys of many stores while others use all their secrets, old and new, on several
 * threads: every answer that can be told beforehand must be that one.
 */
export async function runRotations(options: RotationOptions): Promise<RotationReport> {
  const server = await ServerProcess.start({
    threads: options.threads ?? 2,
    environment: { AISLE_LOG_LEVEL: 'warn' },
  })
  const report: RotationReport = {
    rotations: 0,
    revocations: 0,
    probes: 0,
    decided: 0,
    falseAccepts: 0,
    falseRejects: 0,
    problems: [],
  }
  const random = seededRandom(options.seed)
  const client = new HttpClient(server.url, { connections: PROBERS + 1 })
  try {
    const slots = await makeSlots(client, server.adminToken, options.stores)
    const stop = new AbortController()
    const probers = Array.from({ length: PROBERS }, () =>
      probe(client, slots, random, report, stop.signal),
    )
    for (let i = 0; i < options.rotations; i++) {
      const slot = slots[i % slots.length]!
      await sleep(Math.max(0, slot.rotatedMs + ROTATED_AGAIN_MS - Date.now()))
      await rotate(client, server.adminToken, slot, random, report)
      if (report.rotations % 100 === 0) options.onProgress?.(report)
    }
    await sleep(ROTATED_AGAIN_MS)
    stop.abort()
    await Promise.all(probers)
  } finally {
    client.close()
    await server.stop()
  }
  return report
}

async function makeSlots(client: HttpClient, token: string, count: number): Promise<Slot[]> {
  const slots: Slot[] = []
  for (let i = 0; i < count; i++) {
    const storeId = `store-${i}`
    const made = await admin(client, token, 'POST', '/stores', { id: storeId, name: storeId })
    const nowMs = Date.now()
    const secrets = {
      read: made['read_secret']!,
      write: made['write_secret']!,
      events: made['events_write_key']!,
    }
    for (const kind of KINDS) {
      const history = new KeyHistory(secrets[kind], nowMs)
      slots.push({ storeId, kind, history, rotatedMs: 0 })
    }
  }
  return slots
}

async function rotate(
  client: HttpClient,
  token: string,
  slot: Slot,
  random: () => number,
  report: RotationReport,
): Promise<void> {
  const { storeId, kind, history } = slot
  const keys = `/stores/${storeId}/keys/${kind}`
  const grace = GRACES_SECONDS[Math.floor(random() * GRACES_SECONDS.length)]!
  history.ending(Date.now(), grace === 0)
  const answer = await admin(client, token, 'POST', `${keys}/rotate`, { grace_seconds: grace })
  slot.rotatedMs = Date.now()
  history.rotated(answer['secret']!, slot.rotatedMs, Date.parse(answer['previous_valid_until']!))
  report.rotations++
  if (random() >= REVOKED_SHARE) return
  history.ending(Date.now(), false)
  await admin(client, token, 'DELETE', `${keys}/previous`)
  history.previousEnded(Date.now())
  report.revocations++
}

async function probe(
  client: HttpClient,
  slots: readonly Slot[],
  random: () => number,
  report: RotationReport,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { storeId, kind, history } = slots[Math.floor(random() * slots.length)]!
    const secret = history.pick(random())
    const sentMs = Date.now()
    const { status } = await client.send(requestOf(storeId, kind, secret, report.probes))
    const verdict = history.judge(secret, status === 200, sentMs, Date.now())
    report.probes++
    if (verdict !== 'undecided') report.decided++
    if (verdict === 'right' || verdict === 'undecided') continue
    if (verdict === 'false accept') report.falseAccepts++
    else report.falseRejects++
    report.problems.push(`${verdict}: ${kind} secret of ${storeId}, status ${status}`)
  }
}

/** A request that is 200 with a secret that is valid, whatever the store holds. */
function requestOf(storeId: string, kind: Kind, secret: string, count: number): HttpRequest {
  const json = { 'content-type': 'application/json', 'x-storeid': storeId }
  switch (kind) {
    case 'read':
      return {
        method: 'POST',
        path: '/v1/search',
        headers: { ...json, 'x-storesecret': secret },
        body: '{"q":"*"}',
      }
    case 'write':
      return {
        method: 'GET',
        path: `/api/v1/stores/${storeId}/settings`,
        headers: { 'x-storeid': storeId, 'x-store-write-secret': secret },
      }
    case 'events': {
      const event = { type: 'track', event: 'Probe', messageId: `m${count}`, anonymousId: 'a' }
      const sentAt = new Date().toISOString()
      const batch = [{ ...event, timestamp: sentAt, properties: {} }]
      const body = JSON.stringify({ writeKey: secret, sentAt, batch })
      return { method: 'POST', path: '/v1/b', headers: {}, body }
    }
  }
}

async function admin(
  client: HttpClient,
  token: string,
  method: 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await client.send({
    method,
    path: `/api/v1/admin${path}`,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = answer.body.toString('utf8')
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text) as Record<string, string>
}
