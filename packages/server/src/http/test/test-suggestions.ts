import { createAnalyzer } from '@aisle/engine'
import {
  PopularityIndex,
  ProfileIndex,
  SuggestionIndex,
  SuggestionMatcher,
  TogetherIndex,
} from '@aisle/suggestions'
import { logNameOf } from '@aisle/event-log'
import { until } from '@aisle/testing'
import type { Clock } from '../../ports/host/clock.ts'
import type { LogOwner } from '../../ports/events/event-log.ts'
import type { HistoryFile } from '../../ports/suggestions/history-files.ts'
import type { BuiltSuggestions } from '../../ports/suggestions/suggestion-publisher.ts'
import type {
  StorePopularity,
  StoreSuggestions,
  SuggestionSource,
} from '../../ports/suggestions/suggestion-source.ts'
import { spellQueries } from '../../services/search/spell-queries.ts'
import type { ServicePorts } from '../../services/service-ports.ts'
import { brandNames } from '../../services/suggestions/brand-names.ts'
import { LogFollower } from '../../services/suggestions/log-follower.ts'
import type { TestLogs } from './test-backend.ts'

const NO_FILE: HistoryFile = {
  read: () => undefined,
  write: () => undefined,
  remove: () => undefined,
}
/** Texts whose spelling is asked for at a time: few, so that asking again is tried too. */
const TEXTS_ASKED = 3
/** So long the thread of a service waits before it takes typing for over. */
const TICK_SLACK_MS = 1_000

interface FollowedPopularity {
  /** What it was made of. */
  readonly state: string
  readonly popularity: StorePopularity | undefined
}

/**
 * Suggestions and popularity as of the clock of the test, each time made of the whole log, as the
 * thread of a service makes them by the clock of the machine, some seconds later.
 */
export class TestSuggestions {
  readonly source: SuggestionSource
  readonly #ports: Pick<ServicePorts, 'registry' | 'backend'>
  readonly #clock: Clock
  readonly #logs: TestLogs
  /** By log. */
  readonly #popularity = new Map<string, FollowedPopularity>()

  constructor(ports: Pick<ServicePorts, 'registry' | 'backend'>, clock: Clock, logs: TestLogs) {
    this.#ports = ports
    this.#clock = clock
    this.#logs = logs
    this.source = {
      of: (owner) => this.#suggestionsOf(owner),
      popularity: (owner) => this.#popularity.get(logNameOf(owner))?.popularity,
    }
  }

  /**
   * Brings popularity up to date.
   *
   * @param hasWritten whether documents may have changed since the last time
   */
  async follow(hasWritten: boolean): Promise<void> {
    if (hasWritten) this.#popularity.clear()
    await Promise.all(this.#ports.registry.list().map((owner) => this.#followStore(owner)))
  }

  async #followStore(owner: LogOwner): Promise<void> {
    const log = logNameOf(owner)
    const end = await this.#endOf(log)
    const nowMs = this.#clock.now()
    const state = `${end} ${nowMs}`
    if (end === 0 || this.#popularity.get(log)?.state === state) return
    this.#popularity.set(log, { state, popularity: await this.#popularityOf(owner, end, nowMs) })
  }

  async #popularityOf(
    owner: LogOwner,
    end: number,
    nowMs: number,
  ): Promise<StorePopularity | undefined> {
    const view = this.#ports.backend.view(owner.storeId)
    if (view?.schema === undefined) return undefined
    const follower = await this.#follower(owner, end, nowMs)
    const docKeys = new Map<string, number>()
    for (const id of follower.popularIds(nowMs)) {
      const [docKey] = await view.matchingKeys({ kind: 'ids', ids: [id] })
      if (docKey !== undefined) docKeys.set(id, docKey)
    }
    const index = follower.buildPopularity((id) => docKeys.get(id), nowMs)
    const { changes: version } = follower.appeal
    return { index: new PopularityIndex(index), content: view.content, version }
  }

  async #suggestionsOf(owner: LogOwner): Promise<StoreSuggestions | undefined> {
    const { backend } = this.#ports
    const { storeId } = owner
    const nowMs = this.#clock.now()
    const follower = await this.#follower(owner, await this.#endOf(logNameOf(owner)), nowMs)
    const names = (await brandNames(backend, storeId)) ?? []
    follower.beginSpelling(names)
    for (let texts; (texts = follower.unspelt(TEXTS_ASKED)).length > 0;) {
      const spellings = await until('a search of each text that had its time', async () => {
        const found = (await spellQueries(backend, storeId, texts)) ?? []
        return found.includes(undefined) ? undefined : found
      })
      follower.takeSpelling(texts, spellings)
    }
    const built = finished(follower.build(names, nowMs))
    return {
      matcher: new SuggestionMatcher(new SuggestionIndex(built.index)),
      profiles: new ProfileIndex(built.profiles),
      together: new TogetherIndex(built.together),
    }
  }

  async #follower(owner: LogOwner, end: number, nowMs: number): Promise<LogFollower> {
    const { language } = await this.#ports.registry.statistics(owner.storeId)
    const files = this.#logs.files(logNameOf(owner))
    const analyzer = createAnalyzer(language)
    const follower = new LogFollower({ files, file: NO_FILE, analyzer, nowMs })
    while (follower.step(end)) continue
    follower.tick(nowMs + TICK_SLACK_MS)
    return follower
  }

  async #endOf(log: string): Promise<number> {
    await this.#logs.events.flush()
    return this.#logs.events.endOf(log)
  }
}

function finished(steps: Generator<void, BuiltSuggestions>): BuiltSuggestions {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
