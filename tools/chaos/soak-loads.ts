import { setTimeout as sleep } from 'node:timers/promises'
import { eventBatch, HttpClient, type ServerProcess, type StoreKeys } from '@aisle/testing'
import { AisleClient, RefusedError, UnreachableError } from '@aisle/client'
import type { ResourceKind, ResourceValue, StoreClient } from '@aisle/client'
import { createEventStore, logEntries, stockEvent, type EventStore } from '../events/event-store.ts'
import { CHAOS_FIELDS, wordOf } from './document.ts'
import { ANSWER_LIMIT_MS } from './store-client.ts'
import { compareSnapshotNames } from '../../packages/server/src/domain/store/snapshot-name.ts'

/**
 * One kind of work beside the writers: continues until the service has ended, and knows what must
 * remain.
 */
export interface SoakLoad {
  readonly name: string
  /** Number of correctly answered calls. */
  count: number
  /** @param pauseMs at least, between two calls @returns problems: unexpected answers */
  run(server: ServerProcess, random: () => number, pauseMs: number): Promise<string[]>
  /**
   * Compares a restarted service with the acknowledged writes.
   * @returns problems
   */
  verify?(server: ServerProcess, random: () => number): Promise<string[]>
}

/** Requests are not retried: unanswered ones have an unknown outcome. */
export function adminOf({ url, adminToken }: ServerProcess): AisleClient {
  return new AisleClient({ url, adminToken, retries: 0, timeoutMs: ANSWER_LIMIT_MS })
}

function storeOf({ url }: ServerProcess, keys: StoreKeys): StoreClient {
  const { readSecret, writeSecret } = keys
  const limits = { retries: 0, timeoutMs: ANSWER_LIMIT_MS }
  return new AisleClient({ url, readSecret, writeSecret, ...limits }).store(keys.storeId)
}

/** @param step may end with UnreachableError: the service was killed */
async function repeat(
  load: SoakLoad,
  { ended }: ServerProcess,
  pauseMs: number,
  step: () => Promise<void>,
): Promise<string[]> {
  for (;;) {
    try {
      await step()
      load.count++
    } catch (error) {
      if (error instanceof UnreachableError) return []
      return [`${load.name}: ${error instanceof Error ? error.message : String(error)}`]
    }
    await sleep(pauseMs, undefined, { signal: ended }).catch(() => undefined)
  }
}

const SEARCHES: readonly ((random: () => number) => Record<string, unknown>)[] = [
  () => ({ q: 'copper lantern', facet_by: 'version' }),
  () => ({ q: 'medow grnite', per_page: 20 }),
  () => ({ q: 'thist', prefix_mode: 'always', highlight: true }),
  (random) => ({ q: wordOf(Math.floor(random() * 100_000)), typo_max: 0 }),
  (random) => ({
    q: '*',
    filter_by: `version:>${Math.floor(random() * 100_000)}`,
    sort_by: 'version:desc',
  }),
  () => ({ q: '"velvet ember" -harbour', explain: true }),
]

export class SearchLoad implements SoakLoad {
  readonly name = 'searches'
  count = 0
  readonly #keys: StoreKeys

  constructor(keys: StoreKeys) {
    this.#keys = keys
  }

  run(server: ServerProcess, random: () => number, pauseMs: number): Promise<string[]> {
    const store = storeOf(server, this.#keys)
    return repeat(this, server, Math.max(2, pauseMs), async () => {
      const search = SEARCHES[Math.floor(random() * SEARCHES.length)]!
      await store.search({ q: '*', ...search(random) })
    })
  }
}

const BATCH = 20

/** Events in batches; each acknowledged one must be in the log once. */
export class EventLoad implements SoakLoad {
  readonly name = 'event batches'
  count = 0
  readonly #store: EventStore
  readonly #acknowledged = new Set<string>()
  #sentCount = 0

  private constructor(store: EventStore) {
    this.#store = store
  }

  static async create(server: ServerProcess): Promise<EventLoad> {
    return new EventLoad(await createEventStore(server, 'events'))
  }

  async run(server: ServerProcess, _: () => number, pauseMs: number): Promise<string[]> {
    const http = new HttpClient(server.url, { connections: 1 })
    const { writeKey } = this.#store
    const problems = await repeat(this, server, Math.max(20, pauseMs), async () => {
      const ids = Array.from({ length: BATCH }, () => `event-${this.#sentCount++}`)
      const batch = ids.map((id) => stockEvent(id, writeKey))
      const answer = await http.send(eventBatch(writeKey, batch)).catch((error: unknown) => {
        throw new UnreachableError('/v1/b', { cause: error })
      })
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.toString()}`)
      for (const id of ids) this.#acknowledged.add(id)
    })
    http.close()
    return problems
  }

  verify(): Promise<string[]> {
    const times = new Map<string, number>()
    for (const entry of logEntries(this.#store)) {
      if (entry.kind !== 'event') continue
      times.set(entry.messageId, (times.get(entry.messageId) ?? 0) + 1)
    }
    const lost = [...this.#acknowledged].filter((id) => !times.has(id))
    const twice = [...times].filter(([, count]) => count > 1)
    return Promise.resolve([
      ...lost.slice(0, 5).map((id) => `${id} is lost, one of ${lost.length}`),
      ...twice.slice(0, 5).map(([id]) => `${id} is in the log more than once`),
    ])
  }
}

/** The value for a number in each kind of configuration. */
const CONFIGURED: readonly (readonly [ResourceKind, (n: number) => ResourceValue])[] = [
  ['presets', (n) => ({ value: { per_page: 1 + (n % 250) } })],
  ['synonym-sets', (n) => ({ items: [{ id: 'one', synonyms: ['copper', `brass${n}`] }] })],
  ['stopword-sets', (n) => ({ stopwords: ['of', `word${n}`] })],
  ['rules', (n) => ({ when: [{ query: 'copper' }], hide: [`hidden-${n}`] })],
]

/**
 * Presets, sets, rules and settings that change all the time; the last acknowledged state, or a
 * later one, must be stored.
 */
export class ConfigureLoad implements SoakLoad {
  readonly name = 'changes of presets, sets, rules, settings'
  count = 0
  readonly #keys: StoreKeys
  /** By kind: the number acknowledged last, and the one sent after it. */
  readonly #known = new Map<string, { answered: number; sent: number }>()

  constructor(keys: StoreKeys) {
    this.#keys = keys
  }

  run(server: ServerProcess, _: () => number, pauseMs: number): Promise<string[]> {
    const store = storeOf(server, this.#keys)
    return repeat(this, server, Math.max(10, pauseMs), async () => {
      const n = this.count
      const [kind, valueOf] = CONFIGURED[n % (CONFIGURED.length + 1)] ?? ['settings', undefined]
      const known = this.#known.get(kind) ?? { answered: -1, sent: -1 }
      this.#known.set(kind, known)
      known.sent = n
      if (valueOf === undefined) await store.changeSettings(settingsOf(n))
      else await store.putResource(kind as ResourceKind, 'soaked', valueOf(n))
      known.answered = n
    })
  }

  async verify(server: ServerProcess): Promise<string[]> {
    const store = storeOf(server, this.#keys)
    const problems: string[] = []
    for (const [kind, known] of this.#known) {
      const { answered, sent } = known
      const valueOf = CONFIGURED.find(([one]) => one === kind)?.[1] ?? settingsOf
      const found = await this.#read(store, kind)
      const fits = [answered, sent].filter((n) =>
        n < 0 ? isUntouched(kind, found) : isPart(valueOf(n), found),
      )
      if (fits.length === 0)
        problems.push(`${kind}: not ${answered} and not ${sent}: ${JSON.stringify(found)}`)
      known.answered = fits[0] ?? answered
    }
    return problems
  }

  async #read(store: StoreClient, kind: string): Promise<unknown> {
    if (kind === 'settings') return store.settings()
    try {
      return (await store.resource(kind as ResourceKind, 'soaked')).value
    } catch (error) {
      if (error instanceof RefusedError && error.status === 404) return undefined
      throw error
    }
  }
}

/** A resource that was never stored does not exist; settings always exist. */
function isUntouched(kind: string, found: unknown): boolean {
  return kind === 'settings' ? isPart({ version: 0 }, found) : found === undefined
}

function settingsOf(n: number): ResourceValue {
  return { cors_origins: [`https://shop-${n}.example`] }
}

/** Whether the found value, which also has defaults, contains the given one. */
function isPart(given: unknown, found: unknown): boolean {
  if (Array.isArray(given)) {
    return (
      Array.isArray(found) &&
      found.length === given.length &&
      given.every((one, i) => isPart(one, found[i]))
    )
  }
  if (typeof given !== 'object' || given === null) return given === found
  if (typeof found !== 'object' || found === null) return false
  return Object.entries(given).every(([key, value]) =>
    isPart(value, (found as Record<string, unknown>)[key]),
  )
}

/** A key rotated without grace: the newest is accepted, the previous one is not. */
export class RotationLoad implements SoakLoad {
  readonly name = 'key rotations'
  count = 0
  #current: string
  #previous: string | undefined
  #isUnanswered = false

  private constructor(secret: string) {
    this.#current = secret
  }

  static async create(server: ServerProcess): Promise<RotationLoad> {
    const made = await adminOf(server).createStore({ name: 'Rotated', id: 'rotated' })
    return new RotationLoad(made.write_secret)
  }

  run(server: ServerProcess, _: () => number, pauseMs: number): Promise<string[]> {
    return repeat(this, server, Math.max(100, pauseMs), async () => {
      await this.#rotate(server)
      const problem = await this.#problem(server)
      if (problem !== undefined) throw new Error(problem)
    })
  }

  async verify(server: ServerProcess): Promise<string[]> {
    // The secret of an unanswered rotation is unknown.
    if (this.#isUnanswered) await this.#rotate(server)
    const problem = await this.#problem(server)
    return problem === undefined ? [] : [`key rotations: ${problem}`]
  }

  async #rotate(server: ServerProcess): Promise<void> {
    this.#isUnanswered = true
    const { secret } = await adminOf(server).rotateKey('rotated', 'write', { grace_seconds: 0 })
    this.#previous = this.#current
    this.#current = secret
    this.#isUnanswered = false
  }

  async #problem(server: ServerProcess): Promise<string | undefined> {
    if (!(await this.#opens(server, this.#current))) return 'the newest secret is refused'
    if (this.#previous === undefined || !(await this.#opens(server, this.#previous)))
      return undefined
    return 'a secret that was replaced opens the store'
  }

  async #opens({ url }: ServerProcess, writeSecret: string): Promise<boolean> {
    const store = new AisleClient({ url, writeSecret, retries: 0 }).store('rotated')
    try {
      await store.schema()
      return true
    } catch (error) {
      if (error instanceof RefusedError && error.status === 401) return false
      throw error
    }
  }
}

const READ_BACK_SHARE = 0.25

/** The services of the campaigns keep at least as many snapshots. */
export const SNAPSHOTS_KEPT_MIN = 2

/**
 * Snapshots, one after the other: each is read back and counted before it is acknowledged. The
 * newest acknowledged one must exist, unless newer ones whose answer was lost have taken its place.
 * What exists is read back now and then.
 */
export class SnapshotLoad implements SoakLoad {
  readonly name = 'snapshots'
  count = 0
  readonly #everyMs: number
  #newest: string | undefined
  /** Names of those that were read back after a kill. They never change. */
  #verified = new Set<string>()

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  run(server: ServerProcess, _: () => number, pauseMs: number): Promise<string[]> {
    return repeat(
      this,
      server,
      Math.max(this.#everyMs, pauseMs),
      async () => void (this.#newest = (await adminOf(server).createSnapshot()).name),
    )
  }

  async verify(server: ServerProcess, random: () => number): Promise<string[]> {
    const admin = adminOf(server)
    const { snapshots } = await admin.snapshots()
    const names = new Set(snapshots.map(({ name }) => name))
    const newest = this.#newest
    if (newest !== undefined && !names.has(newest)) {
      const newer = [...names].filter((name) => compareSnapshotNames(name, newest) < 0)
      if (newer.length < SNAPSHOTS_KEPT_MIN) return [`the snapshot ${newest} is gone`]
    }
    if (random() > READ_BACK_SHARE) return []
    for (const name of names) if (!this.#verified.has(name)) await admin.verifySnapshot(name)
    this.#verified = names
    return []
  }
}

/** A store shared by the loads. */
export async function createSoakStore(server: ServerProcess, id: string): Promise<StoreKeys> {
  const made = await adminOf(server).createStore({ name: id, id })
  const keys = { storeId: id, readSecret: made.read_secret, writeSecret: made.write_secret }
  await storeOf(server, keys).changeSchema({ fields: CHAOS_FIELDS } as never)
  return keys
}
