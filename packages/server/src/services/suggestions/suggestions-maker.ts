import { setImmediate as yieldToMessages, setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@aisle/contract'
import { createAnalyzer } from '@aisle/engine'
import { logNameOf, type LogFiles } from '@aisle/event-log'
import type { CatalogName, Spelling } from '@aisle/suggestions'
import { TurnQueue } from '../../domain/turns/turn-queue.ts'
import type { DiskRoom } from '../../ports/host/disk-room.ts'
import type { Awaitable } from '../../ports/awaitable.ts'
import type { FollowedStore } from '../../ports/suggestions/followed-stores.ts'
import type { HistoryFile, HistoryFiles } from '../../ports/suggestions/history-files.ts'
import type { StoreWatch } from '../../ports/host/store-watch.ts'
import { LogFollower } from './log-follower.ts'
import { PopularityMaker, type PopularityMakerOptions } from './popularity-maker.ts'

const PERIOD_MS = 1_000
/** Maximum time per turn: a store with much to do takes turns with the others. */
const TURN_MS = 50
/** Minimum interval of looking for brands and categories after writes. */
const NAMES_MS = 10_000
/**
 * Number of texts whose spelling is checked in one turn: about 10 ms, or one request to a cluster
 * each.
 */
const SPELT_PER_TURN = 16
/** Maximum before a build; the rest is checked before the next build, and until then when shown. */
const SPELLING_MS = 250
/**
 * Checking all spellings takes at most one part in this number of the time, however often documents
 * change.
 */
const SPELLING_PAUSE = 20

interface Followed {
  readonly follower: LogFollower
  readonly file: HistoryFile
  names: readonly CatalogName[]
  /** State of the writes and settings that the names were built from. */
  namesStamp: string
  namesMs: number
  spelling: SpellingTimes
}

/** Times of one check of all spellings. */
interface SpellingTimes {
  startMs: number
  tookMs: number
  /** The catalog has changed since. */
  isOutdated: boolean
}

export interface SuggestionsMakerOptions extends PopularityMakerOptions {
  readonly logs: {
    files(log: string): LogFiles
    /** Position up to which a log may be read. */
    end(log: string): Promise<number>
    /** The same for all recently written logs. */
    ends(): Promise<ReadonlyMap<string, number>>
  }
  readonly histories: HistoryFiles
  /** Brands and categories of a store; undefined without documents. */
  readonly namesOf: (storeId: string) => Awaitable<readonly CatalogName[] | undefined>
  /**
   * Corrects the spelling of texts by the words of the documents; undefined if time ran out, no
   * entries without documents.
   */
  readonly spell: (
    storeId: string,
    texts: readonly string[],
  ) => Awaitable<readonly (Spelling | undefined)[] | undefined>
  readonly watch: StoreWatch
  readonly room: DiskRoom
  readonly onProblem: (log: string, message: string) => void
}

/**
 * Follows the event logs of all stores and builds popularity from them, and suggestions for stores
 * where these are requested.
 */
export class SuggestionsMaker {
  readonly #options: SuggestionsMakerOptions
  readonly #turns = new TurnQueue({ lanes: 1, perKey: 1 })
  /** Logs that are being processed. */
  readonly #looking = new Map<string, Promise<void>>()
  readonly #popularity: PopularityMaker
  readonly #stores = new Map<string, Followed>()
  /** Logs of the stores whose suggestions were requested. */
  readonly #wanted = new Set<string>()
  /** Last known position up to which each log may be read. */
  readonly #ends = new Map<string, number>()
  #closing = new AbortController().signal
  #isSwept = false

  constructor(options: SuggestionsMakerOptions) {
    this.#options = options
    this.#popularity = new PopularityMaker(options)
  }

  /** Rebuilds everything from a log after events were erased from it. */
  rebuild(log: string): void {
    // Serving threads keep what they have until the whole log is read again.
    this.#stores.delete(log)
    this.#options.publisher.outdated(log)
    this.#options.histories.of(log).remove()
  }

  /** Processes all stores repeatedly until stopped; then writes the files. */
  async run(closing: AbortSignal): Promise<void> {
    this.#closing = closing
    const { stores: followed, watch } = this.#options
    while (!closing.aborted) {
      const startMs = this.#options.clock.now()
      await this.#readEnds()
      const stores = await followed.stores()
      await this.#forgetOthers(new Set(stores.map(logNameOf)))
      for (const store of stores) {
        const log = logNameOf(store)
        // A store with much to do continues in the background and does not delay the round.
        if (this.#looking.has(log) || !this.#isFollowed(log)) continue
        if (watch.setAsideSeconds(log) === 0) void this.#begin(store, log)
      }
      // Stores with little to do finish quickly; messages arrive in between.
      const restMs = Math.max(0, PERIOD_MS - (this.#options.clock.now() - startMs))
      await sleep(restMs, undefined, { signal: closing }).catch(() => undefined)
    }
    await Promise.all(this.#looking.values())
    if (!this.#hasRoom) return
    for (const { follower } of this.#stores.values()) follower.save(this.#options.clock.now())
  }

  /**
   * Requests the suggestions of a store. Resolves when the first ones are published or cannot be
   * built.
   */
  async want(log: string): Promise<void> {
    const isNew = !this.#wanted.has(log)
    this.#wanted.add(log)
    await this.#looking.get(log)
    if (!isNew || this.#options.watch.setAsideSeconds(log) > 0) return
    const stores = await this.#options.stores.stores()
    const store = stores.find((one) => logNameOf(one) === log)
    if (store !== undefined) await (this.#looking.get(log) ?? this.#begin(store, log))
  }

  /** Whether there is anything to do: most small stores have neither requests nor events. */
  #isFollowed(log: string): boolean {
    return this.#wanted.has(log) || this.#stores.has(log) || this.#ends.get(log) !== 0
  }

  /** Logs that are not among them have not grown. */
  async #readEnds(): Promise<void> {
    const ends = await this.#options.logs.ends().catch(() => NO_ENDS)
    for (const [log, end] of ends) this.#ends.set(log, end)
  }

  async #endOf(log: string): Promise<number> {
    let end = this.#ends.get(log)
    if (end === undefined) {
      end = await this.#options.logs.end(log)
      this.#ends.set(log, end)
    }
    return end
  }

  #begin(store: FollowedStore, log: string): Promise<void> {
    const look = this.#look(store, log, this.#closing)
      .catch((error: unknown) => {
        // The documents cannot be read for a while; requests that read them report it.
        if (error instanceof ApiError && error.code === 'unavailable') return
        const text = error instanceof Error ? (error.stack ?? '') : String(error)
        this.#options.onProblem(log, text)
      })
      .finally(() => this.#looking.delete(log))
    this.#looking.set(log, look)
    return look
  }

  /** Removes what was built from the logs of deleted stores. */
  async #forgetOthers(living: ReadonlySet<string>): Promise<void> {
    const { publisher, histories, stores } = this.#options
    for (const log of this.#ends.keys()) if (!living.has(log)) this.#ends.delete(log)
    for (const log of this.#wanted) if (!living.has(log)) this.#wanted.delete(log)
    for (const [log, { file }] of this.#stores) {
      if (living.has(log)) continue
      this.#stores.delete(log)
      this.#popularity.forget(log)
      file.remove()
      publisher.removed(log)
    }
    if (this.#isSwept || !(await stores.areKnown())) return
    this.#isSwept = true
    histories.keepOnly(living)
  }

  /** Updates one store: its history, and what is published from it. */
  async #look(store: FollowedStore, log: string, closing: AbortSignal): Promise<void> {
    const { language } = store
    if (language === undefined) return
    const isWanted = this.#wanted.has(log)
    const known = await this.#endOf(log).catch(() => undefined)
    let followed = this.#stores.get(log)
    if (followed === undefined && !isWanted && !(known !== undefined && known > 0)) return
    if (followed?.follower.analyzer.name !== language) {
      followed = await this.#turn(log, () => this.#follow(log, language))
      this.#stores.set(log, followed)
      this.#options.publisher.outdated(log)
    }
    const { follower } = followed
    // Once told to start over, it must no longer write the old state.
    const isOver = (): boolean => closing.aborted || this.#stores.get(log) !== followed
    const end = known ?? follower.watermark
    for (let isBehind = end > follower.watermark; isBehind && !isOver();) {
      isBehind = await this.#turn(log, () => {
        const isMore = follower.step(end)
        if (isMore) this.#saveWhenDue(follower)
        return isMore
      })
    }
    if (isOver()) return
    await this.#turn(log, () => follower.tick(this.#options.clock.now()))
    if (isOver()) return
    if (isWanted) await this.#renewSuggestions(log, followed, store, isOver)
    if (isOver()) return
    await this.#turn(log, () => this.#popularity.renew(log, follower, store.storeId))
    if (!isOver()) await this.#turn(log, () => this.#saveWhenDue(follower))
  }

  /** Files only speed up a start, so they are not written while the disk reserve is in use. */
  get #hasRoom(): boolean {
    return this.#options.room.bytes() >= 0
  }

  #saveWhenDue(follower: LogFollower): void {
    if (this.#hasRoom) follower.saveWhenDue(this.#options.clock.now())
  }

  async #renewSuggestions(
    log: string,
    followed: Followed,
    store: FollowedStore,
    isOver: () => boolean,
  ): Promise<void> {
    const isRenamed = await this.#turn(log, () => this.#renewNames(followed, store))
    if (isOver()) return
    this.#renewSpelling(followed)
    if (!isRenamed && !followed.follower.isDue(this.#options.clock.now())) return
    const isSpelt = await this.#spell(log, followed, store, isOver)
    if (isOver()) return
    await this.#build(log, followed, isOver)
    if (!isSpelt && !isOver()) followed.follower.goOnSpelling()
  }

  /** The catalog has changed, and the last check of all spellings is long enough ago. */
  #renewSpelling({ spelling, follower }: Followed): void {
    const nowMs = this.#options.clock.now()
    const pauseMs = SPELLING_PAUSE * spelling.tookMs
    if (!spelling.isOutdated || nowMs < spelling.startMs + pauseMs) return
    spelling.isOutdated = false
    spelling.startMs = nowMs
    spelling.tookMs = 0
    follower.renewSpelling()
  }

  /** Checks the spelling of queries and names. @returns whether all are known now */
  async #spell(
    log: string,
    { follower, names, spelling }: Followed,
    { storeId }: FollowedStore,
    isOver: () => boolean,
  ): Promise<boolean> {
    follower.beginSpelling(names)
    const endMs = performance.now() + SPELLING_MS
    while (performance.now() < endMs && !isOver()) {
      const isMore = await this.#turn(log, async () => {
        const startMs = performance.now()
        const texts = follower.unspelt(SPELT_PER_TURN)
        if (texts.length === 0) return false
        const spellings = await this.#options.spell(storeId, texts)
        if (spellings === undefined) return false
        follower.takeSpelling(texts, spellings)
        spelling.tookMs += performance.now() - startMs
        return true
      })
      if (!isMore) return true
    }
    return false
  }

  async #build(log: string, followed: Followed, isOver: () => boolean): Promise<void> {
    const steps = followed.follower.build(followed.names, this.#options.clock.now())
    for (;;) {
      const { done, value } = await this.#turn(log, () => advance(steps))
      if (isOver()) return
      if (done !== true) continue
      this.#options.publisher.suggestions(log, value)
      return
    }
  }

  /** Does a part of a store's work in its turn, then lets messages arrive. */
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
      spelling: { startMs: 0, tookMs: 0, isOutdated: false },
    }
  }

  /** Reads brands and categories again if the catalog has changed. @returns whether it did */
  async #renewNames(followed: Followed, { storeId }: FollowedStore): Promise<boolean> {
    const { stores, namesOf, clock } = this.#options
    const nowMs = clock.now()
    if (nowMs - followed.namesMs < NAMES_MS) return false
    const stamp = await stores.stamp(storeId)
    if (stamp === followed.namesStamp) return false
    followed.namesStamp = stamp
    followed.namesMs = nowMs
    followed.spelling.isOutdated = true
    const names = await namesOf(storeId)
    if (names === undefined) return false
    followed.names = names
    return true
  }
}

const NO_ENDS: ReadonlyMap<string, number> = new Map()

/** Continues with steps for one turn. */
function advance<Result>(steps: Iterator<void, Result>): IteratorResult<void, Result> {
  const endMs = performance.now() + TURN_MS
  for (;;) {
    const result = steps.next()
    if (result.done === true || performance.now() > endMs) return result
  }
}
