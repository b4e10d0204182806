import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as yieldToMessages, setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { createAnalyzer } from '@aisle/engine'
import { DiskLogFiles, logNameOf } from '@aisle/events'
import type { CatalogName } from '@aisle/suggestions'
import type { IndexSearcher } from '../adapters/embedded/engine-port.ts'
import type { Generation } from '../adapters/embedded/generation.ts'
import { Replica, type ReplicaStore } from '../adapters/embedded/replica.ts'
import { EmbeddedSearchBackend } from '../adapters/embedded/search-backend.ts'
import { SharedGarbage } from '../adapters/embedded/shared-garbage.ts'
import { EventLogClient } from '../adapters/event-log/event-log-client.ts'
import {
  HISTORY_ENDING,
  historyFileOf,
  type HistoryFile,
} from '../adapters/suggestions/history-file.ts'
import { SharedDiskRoom, type DiskRoomMemory } from '../adapters/shared-memory/disk-room.ts'
import { LogFollower } from '../adapters/suggestions/log-follower.ts'
import type { FromSuggestionsThread } from '../adapters/suggestions/messages.ts'
import { openEnvironment } from '../adapters/lmdb/environment.ts'
import { DocumentRows } from '../adapters/lmdb/rows.ts'
import { namesOf, planNames } from '../domain/suggestions/catalog-names.ts'
import { cardOf } from '../services/suggestions/product-cards.ts'
import { TurnQueue } from '../domain/turns/turn-queue.ts'
import type { StoreWatch } from '../ports/store-watch.ts'
import { PopularityMaker } from './popularity-maker.ts'
import type { SharedThreadData, ToSharedThread } from './thread-host.ts'
import { WatchedStores } from './watched-stores.ts'

/** What the thread that makes suggestions is started with. */
export interface SuggestionsThreadData extends SharedThreadData {
  /** Folder of the event logs. */
  readonly events: string
  /** Folder of the files derived from them. */
  readonly folder: string
  readonly generation: Generation
  readonly publications: MessagePort
  /** File of the documents. */
  readonly documents: string
  readonly diskRoom: DiskRoomMemory
}

export type ToSuggestionsThread =
  | ToSharedThread
  /** The way to the event logs. */
  | { readonly kind: 'events'; readonly port: MessagePort }
  /** Events were taken out of a log: make everything of it again. */
  | { readonly kind: 'rebuild'; readonly log: string }

export type SuggestionsThreadSays =
  | { readonly kind: 'closed' }
  /** The data derived from a log is gone; it is being rebuilt. */
  | { readonly kind: 'forgotten'; readonly log: string }
  | { readonly kind: 'problem'; readonly log: string; readonly message: string }

const PERIOD_MS = 1_000
/** A store that has much to do does it in turns with the others: so much at one go. */
const TURN_MS = 50
/** Stores without news for so many rounds are looked at less often. */
const RESTS_AFTER = 30
const RESTING_MS = 4_000
/** Brands and categories are looked for after writes, but not more often. */
const NAMES_MS = 10_000

interface Followed {
  readonly follower: LogFollower
  readonly file: HistoryFile
  names: readonly CatalogName[]
  /** What the names were made of: writes and settings. */
  namesStamp: string
  namesMs: number
  quietRounds: number
  nextLookMs: number
  published: FromSuggestionsThread | undefined
}

/**
 * The body of the thread that follows the event logs and makes suggestions of them, for all stores.
 */
export async function makeSuggestions(createSearcher: () => IndexSearcher): Promise<void> {
  const data = workerData as SuggestionsThreadData
  const control = parentPort!
  const tell = (message: SuggestionsThreadSays): void => control.postMessage(message)
  const watch = new WatchedStores(data.vitals, (log, seconds) =>
    tell({ kind: 'problem', log, message: `This store is set aside for ${seconds} s` }),
  )
  const maker = new SuggestionsMaker(data, createSearcher, watch, (log, message) =>
    tell({ kind: 'problem', log, message }),
  )
  const closing = new AbortController()
  control.on('message', (message: ToSuggestionsThread) => {
    if (message.kind === 'close') closing.abort()
    else {
      maker.receive(message)
      if (message.kind === 'rebuild') tell({ kind: 'forgotten', log: message.log })
    }
  })
  await maker.run(closing.signal)
  tell({ kind: 'closed' })
}

class SuggestionsMaker {
  readonly #data: SuggestionsThreadData
  readonly #room: SharedDiskRoom
  readonly #watch: StoreWatch
  readonly #turns = new TurnQueue({ lanes: 1, perKey: 1 })
  /** Logs that are being looked at. */
  readonly #looking = new Map<string, Promise<void>>()
  readonly #onProblem: (log: string, message: string) => void
  readonly #garbage = new SharedGarbage()
  readonly #replica: Replica
  readonly #popularity: PopularityMaker
  readonly #backend: EmbeddedSearchBackend
  readonly #events = new EventLogClient()
  readonly #serving = new Set<MessagePort>()
  readonly #stores = new Map<string, Followed>()
  #isSwept = false

  constructor(
    data: SuggestionsThreadData,
    createSearcher: () => IndexSearcher,
    watch: StoreWatch,
    onProblem: (log: string, message: string) => void,
  ) {
    this.#data = data
    this.#room = new SharedDiskRoom(data.diskRoom)
    this.#watch = watch
    this.#onProblem = onProblem
    mkdirSync(data.folder, { recursive: true })
    const environment = openEnvironment(data.documents, { readOnly: true })
    const rows = new DocumentRows(environment, (ports, message) =>
      onProblem(`catalog ${ports}`, message),
    )
    this.#popularity = new PopularityMaker((ports, id) => rows.findKey(ports, id))
    this.#replica = new Replica(data.publications, data.generation, createSearcher, () => {
      // A read transaction sees the file as it was when it began: begin a new one.
      environment.root.resetReadTxn()
    })
    this.#backend = new EmbeddedSearchBackend(this.#replica, () => undefined)
  }

  receive(message: Exclude<ToSuggestionsThread, { kind: 'close' }>): void {
    switch (message.kind) {
      case 'connect': {
        const { port } = message
        this.#serving.add(port)
        port.on('close', () => this.#serving.delete(port))
        for (const { published } of this.#stores.values()) {
          if (published !== undefined) port.postMessage(published)
        }
        for (const popularity of this.#popularity.all()) port.postMessage(popularity)
        break
      }
      case 'events':
        this.#events.connect(message.port)
        break
      case 'rebuild':
        // Serving threads keep what they have until the whole log is read again.
        this.#stores.delete(message.log)
        this.#fileOf(message.log).remove()
        break
    }
  }

  /** Looks at every store again and again until it is told to stop; then writes what is there. */
  async run(closing: AbortSignal): Promise<void> {
    while (!closing.aborted) {
      const startMs = Date.now()
      const stores = this.#replica.stores()
      this.#forgetOthers(new Set(stores.map(({ record }) => logNameOf(record))))
      for (const store of stores) {
        const log = logNameOf(store.record)
        // One that has much to do goes on with it, and holds up nobody's round.
        if (this.#looking.has(log) || this.#watch.setAsideSeconds(log) > 0) continue
        const look = this.#look(store, log, closing).catch((error: unknown) => {
          this.#onProblem(log, error instanceof Error ? (error.stack ?? '') : String(error))
        })
        this.#looking.set(
          log,
          look.finally(() => this.#looking.delete(log)),
        )
      }
      // Stores with little to do are through soon; in between, messages arrive.
      const restMs = Math.max(0, PERIOD_MS - (Date.now() - startMs))
      await sleep(restMs, undefined, { signal: closing }).catch(() => undefined)
    }
    await Promise.all(this.#looking.values())
    if (!this.#hasRoom) return
    for (const { follower } of this.#stores.values()) follower.save(Date.now())
  }

  /** Stores that are gone: what was made of their logs goes too. */
  #forgetOthers(living: ReadonlySet<string>): void {
    for (const [log, { file }] of this.#stores) {
      if (living.has(log)) continue
      this.#stores.delete(log)
      this.#popularity.forget(log)
      file.remove()
      this.#publish({ kind: 'removed', log })
    }
    if (this.#isSwept || this.#replica.starting().length > 0) return
    this.#isSwept = true
    for (const name of readdirSync(this.#data.folder)) {
      const log = name.endsWith(HISTORY_ENDING) ? name.slice(0, -HISTORY_ENDING.length) : ''
      if (!living.has(log)) rmSync(join(this.#data.folder, name), { force: true })
    }
  }

  /** Brings one store up to date: its history, and what is published of it. */
  async #look(store: ReplicaStore, log: string, closing: AbortSignal): Promise<void> {
    const { index } = store
    // Being loaded: its language is not known yet.
    if (index === undefined) return
    let followed = this.#stores.get(log)
    if (followed?.follower.analyzer.language !== index.language) {
      followed = await this.#turn(log, () => this.#follow(log, index.language))
      this.#stores.set(log, followed)
    }
    const { follower } = followed
    // Once told to start over, it must no longer write the old state.
    const isOver = (): boolean => closing.aborted || this.#stores.get(log) !== followed
    const nowMs = Date.now()
    if (nowMs >= followed.nextLookMs) {
      const end = await this.#events.end(store.record).catch(() => follower.watermark)
      followed.quietRounds = end > follower.watermark ? 0 : followed.quietRounds + 1
      if (followed.quietRounds > RESTS_AFTER) followed.nextLookMs = nowMs + RESTING_MS
      let isBehind = true
      while (isBehind && !isOver()) {
        isBehind = await this.#turn(log, () => {
          const isMore = follower.step(end)
          if (isMore) this.#saveWhenDue(follower)
          return isMore
        })
      }
    }
    if (isOver()) return
    await this.#turn(log, () => follower.tick(Date.now()))
    const isRenamed = !isOver() && (await this.#turn(log, () => this.#renewNames(followed, store)))
    if (isOver()) return
    if (isRenamed || follower.isDue(Date.now())) await this.#build(log, followed, isOver)
    if (isOver()) return
    await this.#turn(log, () => {
      const popularity = this.#popularity.renew(log, follower, store)
      if (popularity !== undefined) {
        this.#garbage.passed(popularity.index.byteLength)
        this.#publish(popularity)
      }
    })
    if (!isOver()) await this.#turn(log, () => this.#saveWhenDue(follower))
  }

  /** Files are there for a quicker start: below the reserve of the disk they stay as they are. */
  get #hasRoom(): boolean {
    return this.#room.bytes() >= 0
  }

  #saveWhenDue(follower: LogFollower): void {
    if (this.#hasRoom) follower.saveWhenDue(Date.now())
  }

  async #build(log: string, followed: Followed, isOver: () => boolean): Promise<void> {
    const steps = followed.follower.build(followed.names, Date.now())
    for (;;) {
      const { done, value } = await this.#turn(log, () => advance(steps))
      if (isOver()) return
      if (done !== true) continue
      followed.published = { kind: 'suggestions', log, ...value }
      this.#garbage.passed(value.index.byteLength + value.profiles.byteLength)
      this.#publish(followed.published)
      return
    }
  }

  /** Does a part of a store's work when it is the store's turn, then lets messages in. */
  #turn<T>(log: string, work: () => T | Promise<T>): Promise<T> {
    return this.#turns.run(log, async () => {
      const result = await this.#watch.during(log, work)
      await yieldToMessages()
      return result
    })
  }

  #fileOf(log: string): HistoryFile {
    return historyFileOf(this.#data.folder, log)
  }

  #follow(log: string, language: string): Followed {
    const file = this.#fileOf(log)
    const files = new DiskLogFiles(join(this.#data.events, log))
    const analyzer = createAnalyzer(language)
    return {
      follower: new LogFollower({ files, file, analyzer, nowMs: Date.now() }),
      file,
      names: [],
      namesStamp: '',
      namesMs: 0,
      quietRounds: 0,
      nextLookMs: 0,
      published: undefined,
    }
  }

  /** Reads brands and categories again if the catalog has changed. @returns whether it did */
  async #renewNames(followed: Followed, store: ReplicaStore): Promise<boolean> {
    const { storeId } = store.record
    const { lastWriteAt = '', docCount } = store.statistics
    const settings = store.resources.list('settings').at(-1)?.name ?? ''
    const stamp = `${lastWriteAt} ${docCount} ${settings} ${store.index?.index ?? ''}`
    const nowMs = Date.now()
    if (stamp === followed.namesStamp || nowMs - followed.namesMs < NAMES_MS) return false
    followed.namesStamp = stamp
    followed.namesMs = nowMs
    const view = this.#backend.view(storeId)
    if (view?.schema === undefined) return false
    const { schema, analyzer } = view
    const card = cardOf(view)
    const plan = planNames(card, { schema, analyzer, nowMs: performance.now() })
    followed.names = plan === undefined ? [] : namesOf(await view.search(plan))
    return true
  }

  #publish(message: FromSuggestionsThread): void {
    for (const port of this.#serving) port.postMessage(message)
  }
}

/** Goes on with steps for one turn. */
function advance<Result>(steps: Iterator<void, Result>): IteratorResult<void, Result> {
  const endMs = performance.now() + TURN_MS
  for (;;) {
    const result = steps.next()
    if (result.done === true || performance.now() > endMs) return result
  }
}
