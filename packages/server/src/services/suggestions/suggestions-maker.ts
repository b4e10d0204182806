import { setImmediate as yieldToMessages, setTimeout as sleep } from 'node:timers/promises'
import { createAnalyzer } from '@aisle/engine'
import { logNameOf, type LogFiles } from '@aisle/event-log'
import type { CatalogName } from '@aisle/suggestions'
import { namesOf, planNames } from '../../domain/suggestions/catalog-names.ts'
import { TurnQueue } from '../../domain/turns/turn-queue.ts'
import type { DiskRoom } from '../../ports/disk-room.ts'
import type { FollowedStore, FollowedStores } from '../../ports/followed-stores.ts'
import type { HistoryFile, HistoryFiles } from '../../ports/history-files.ts'
import type { SearchBackend } from '../../ports/search-backend.ts'
import type { StoreWatch } from '../../ports/store-watch.ts'
import { LogFollower } from './log-follower.ts'
import { PopularityMaker, type PopularityMakerOptions } from './popularity-maker.ts'
import { cardOf } from './product-cards.ts'

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
}

export interface SuggestionsMakerOptions extends PopularityMakerOptions {
  readonly stores: FollowedStores
  /** The event logs by name: their files, and how far these may be read. */
  readonly logs: { files(log: string): LogFiles; end(log: string): Promise<number> }
  readonly histories: HistoryFiles
  /** Searched for brands and categories. */
  readonly backend: SearchBackend
  readonly watch: StoreWatch
  readonly room: DiskRoom
  readonly onProblem: (log: string, message: string) => void
}

/** Follows the event logs of all stores and makes suggestions and popularity of them. */
export class SuggestionsMaker {
  readonly #options: SuggestionsMakerOptions
  readonly #turns = new TurnQueue({ lanes: 1, perKey: 1 })
  /** Logs that are being looked at. */
  readonly #looking = new Map<string, Promise<void>>()
  readonly #popularity: PopularityMaker
  readonly #stores = new Map<string, Followed>()
  #isSwept = false

  constructor(options: SuggestionsMakerOptions) {
    this.#options = options
    this.#popularity = new PopularityMaker(options)
  }

  /** Events were taken out of a log: everything is made of it again. */
  rebuild(log: string): void {
    // Serving threads keep what they have until the whole log is read again.
    this.#stores.delete(log)
    this.#options.publisher.outdated(log)
    this.#options.histories.of(log).remove()
  }

  /** Looks at every store again and again until it is told to stop; then writes what is there. */
  async run(closing: AbortSignal): Promise<void> {
    const { stores: followed, watch, onProblem } = this.#options
    while (!closing.aborted) {
      const startMs = this.#options.clock.now()
      const stores = followed.stores()
      this.#forgetOthers(new Set(stores.map(({ record }) => logNameOf(record))))
      for (const store of stores) {
        const log = logNameOf(store.record)
        // One that has much to do goes on with it, and holds up nobody's round.
        if (this.#looking.has(log) || watch.setAsideSeconds(log) > 0) continue
        const look = this.#look(store, log, closing).catch((error: unknown) => {
          onProblem(log, error instanceof Error ? (error.stack ?? '') : String(error))
        })
        this.#looking.set(
          log,
          look.finally(() => this.#looking.delete(log)),
        )
      }
      // Stores with little to do are through soon; in between, messages arrive.
      const restMs = Math.max(0, PERIOD_MS - (this.#options.clock.now() - startMs))
      await sleep(restMs, undefined, { signal: closing }).catch(() => undefined)
    }
    await Promise.all(this.#looking.values())
    if (!this.#hasRoom) return
    for (const { follower } of this.#stores.values()) follower.save(this.#options.clock.now())
  }

  /** Stores that are gone: what was made of their logs goes too. */
  #forgetOthers(living: ReadonlySet<string>): void {
    const { publisher, histories, stores } = this.#options
    for (const [log, { file }] of this.#stores) {
      if (living.has(log)) continue
      this.#stores.delete(log)
      this.#popularity.forget(log)
      file.remove()
      publisher.removed(log)
    }
    if (this.#isSwept || stores.starting().length > 0) return
    this.#isSwept = true
    histories.keepOnly(living)
  }

  /** Brings one store up to date: its history, and what is published of it. */
  async #look(store: FollowedStore, log: string, closing: AbortSignal): Promise<void> {
    const { index } = store
    // Being loaded: its language is not known yet.
    if (index === undefined) return
    let followed = this.#stores.get(log)
    if (followed?.follower.analyzer.language !== index.language) {
      followed = await this.#turn(log, () => this.#follow(log, index.language))
      this.#stores.set(log, followed)
      this.#options.publisher.outdated(log)
    }
    const { follower } = followed
    // Once told to start over, it must no longer write the old state.
    const isOver = (): boolean => closing.aborted || this.#stores.get(log) !== followed
    const nowMs = this.#options.clock.now()
    if (nowMs >= followed.nextLookMs) {
      const end = await this.#options.logs.end(log).catch(() => follower.watermark)
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
    await this.#turn(log, () => follower.tick(this.#options.clock.now()))
    const isRenamed = !isOver() && (await this.#turn(log, () => this.#renewNames(followed, store)))
    if (isOver()) return
    if (isRenamed || follower.isDue(this.#options.clock.now()))
      await this.#build(log, followed, isOver)
    if (isOver()) return
    await this.#turn(log, () => this.#popularity.renew(log, follower, store))
    if (!isOver()) await this.#turn(log, () => this.#saveWhenDue(follower))
  }

  /** Files are there for a quicker start: below the reserve of the disk they stay as they are. */
  get #hasRoom(): boolean {
    return this.#options.room.bytes() >= 0
  }

  #saveWhenDue(follower: LogFollower): void {
    if (this.#hasRoom) follower.saveWhenDue(this.#options.clock.now())
  }

  async #build(log: string, followed: Followed, isOver: () => boolean): Promise<void> {
    const steps = followed.follower.build(followed.names, this.#options.clock.now())
    for (;;) {
      const { done, value } = await this.#turn(log, () => advance(steps))
      if (isOver()) return
      if (done !== true) continue
      this.#options.publisher.suggestions(log, value.index, value.profiles)
      return
    }
  }

  /** Does a part of a store's work when it is the store's turn, then lets messages in. */
  #turn<T>(log: string, work: () => T | Promise<T>): Promise<T> {
    return this.#turns.run(log, async () => {
      const result = await this.#options.watch.during(log, work)
      await yieldToMessages()
      return result
    })
  }

  #follow(log: string, language: string): Followed {
    const file = this.#options.histories.of(log)
    const files = this.#options.logs.files(log)
    const analyzer = createAnalyzer(language)
    return {
      follower: new LogFollower({ files, file, analyzer, nowMs: this.#options.clock.now() }),
      file,
      names: [],
      namesStamp: '',
      namesMs: 0,
      quietRounds: 0,
      nextLookMs: 0,
    }
  }

  /** Reads brands and categories again if the catalog has changed. @returns whether it did */
  async #renewNames(followed: Followed, store: FollowedStore): Promise<boolean> {
    const { storeId } = store.record
    const { lastWriteAt = '', docCount } = store.statistics
    const settings = store.resources.list('settings').at(-1)?.name ?? ''
    const stamp = `${lastWriteAt} ${docCount} ${settings} ${store.index?.index ?? ''}`
    const nowMs = this.#options.clock.now()
    if (stamp === followed.namesStamp || nowMs - followed.namesMs < NAMES_MS) return false
    followed.namesStamp = stamp
    followed.namesMs = nowMs
    const view = this.#options.backend.view(storeId)
    if (view?.schema === undefined) return false
    const { schema, analyzer } = view
    const card = cardOf(view)
    const plan = planNames(card, { schema, analyzer, nowMs: performance.now() })
    followed.names = plan === undefined ? [] : namesOf(await view.search(plan))
    return true
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
