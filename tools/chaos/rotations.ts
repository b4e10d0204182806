import { setTimeout as sleep } from 'node:timers/promises'
import { HttpClient, ServerProcess, seededRandom } from '@aisle/testing'
import { createEventStore } from '../events/event-store.ts'
import { KeyHistory } from './key-history.ts'
import { probeSecret, type Lock } from './rotation-probes.ts'

export interface RotationOptions {
  readonly rotations: number
  readonly stores: number
  readonly seed: number
  readonly threads?: number
  /** Pause of a prober after each request. */
  readonly probePauseMs?: number
  readonly onProgress?: (report: RotationReport) => void
}

export interface RotationReport {
  rotations: number
  revocations: number
  /** Requests with secrets of a store, and those with only one valid answer. */
  probes: number
  decided: number
  /** Accepted after revocation was acknowledged, or a second after expiry. */
  falseAccepts: number
  /** Refused although valid the whole time. */
  falseRejects: number
  readonly problems: string[]
}

interface Slot {
  readonly lock: Lock
  readonly history: KeyHistory
  rotatedMs: number
}

const PROBERS = 8
/** Long enough for a secret with one second of grace to expire, and to be tried a second later. */
const ROTATED_AGAIN_MS = 2_500
/** Ends immediately, expires during the test, outlives the next rotation. */
const GRACES_SECONDS = [0, 1, 1, 1, 60]
const REVOKED_SHARE = 0.2
/** One store in this many has a rotated signing secret, and no other. */
const SIGNED_SHARE = 4

/**
 * Rotates and revokes keys of many stores while old and new secrets are in use on several threads:
 * every predictable answer must be correct.
 */
export async function runRotations(options: RotationOptions): Promise<RotationReport> {
  await using server = await ServerProcess.start({
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
  using client = new HttpClient(server.url, { connections: PROBERS + 1 })
  const slots = await makeSlots(client, server, options.stores)
  const stop = new AbortController()
  const probers = Array.from({ length: PROBERS }, () =>
    probe(client, slots, random, report, stop.signal, options.probePauseMs ?? 0),
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
  return report
}

async function makeSlots(
  client: HttpClient,
  server: ServerProcess,
  count: number,
): Promise<Slot[]> {
  const slots: Slot[] = []
  const add = (lock: Lock, secret: string): void => {
    slots.push({ lock, history: new KeyHistory(secret, Date.now()), rotatedMs: 0 })
  }
  const token = server.adminToken
  for (let i = 0; i < count; i++) {
    const storeId = `store-${i}`
    if (i % SIGNED_SHARE === SIGNED_SHARE - 1) {
      const store = await createEventStore(server, storeId)
      await askForSignatures(client, storeId, store.writeSecret)
      const path = `/stores/${storeId}/keys/signing/rotate`
      const made = await admin(client, token, 'POST', path, { grace_seconds: 0 })
      add({ kind: 'signing', storeId, store }, made['secret']!)
      continue
    }
    const made = await admin(client, token, 'POST', '/stores', { id: storeId, name: storeId })
    add({ kind: 'read', storeId }, made['read_secret']!)
    add({ kind: 'write', storeId }, made['write_secret']!)
    add({ kind: 'events', storeId }, made['events_write_key']!)
  }
  return slots
}

async function askForSignatures(client: HttpClient, storeId: string, secret: string) {
  const headers = {
    'x-storeid': storeId,
    'x-store-write-secret': secret,
    'content-type': 'application/json',
  }
  const path = `/api/v1/stores/${storeId}/settings`
  const body = '{"identity":"signed"}'
  const { status } = await client.send({ method: 'PATCH', path, headers, body })
  if (status !== 200) throw new Error(`PATCH ${path}: ${status}`)
}

async function rotate(
  client: HttpClient,
  token: string,
  slot: Slot,
  random: () => number,
  report: RotationReport,
): Promise<void> {
  const { lock, history } = slot
  const { storeId, kind } = lock
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
  pauseMs: number,
): Promise<void> {
  while (!signal.aborted) {
    if (pauseMs > 0) await sleep(pauseMs)
    const { lock, history } = slots[Math.floor(random() * slots.length)]!
    const secret = history.pick(random())
    const sentMs = Date.now()
    const { isTaken, status } = await probeSecret(client, lock, secret, report.probes++)
    const verdict = history.judge(secret, isTaken, sentMs, Date.now())
    if (verdict !== 'undecided') report.decided++
    if (verdict === 'right' || verdict === 'undecided') continue
    if (verdict === 'false accept') report.falseAccepts++
    else report.falseRejects++
    report.problems.push(`${verdict}: ${lock.kind} secret of ${lock.storeId}, status ${status}`)
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
