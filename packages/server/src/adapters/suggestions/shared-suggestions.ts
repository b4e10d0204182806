import { setTimeout as sleep } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import { logNameOf } from '@aisle/event-log'
import {
  PopularityIndex,
  ProfileIndex,
  SuggestionIndex,
  SuggestionMatcher,
  TogetherIndex,
} from '@aisle/suggestions'
import type { LogOwner } from '../../ports/events/event-log.ts'
import type { BuiltSuggestions } from '../../ports/suggestions/suggestion-publisher.ts'
import type {
  StorePopularity,
  StoreSuggestions,
  SuggestionSource,
} from '../../ports/suggestions/suggestion-source.ts'
import { PortCalls } from '../message-port/port-calls.ts'
import { endThread, serveCalls } from '../message-port/serve-calls.ts'
import { bytesOf, type SuggestionCalls, type SuggestionRequests } from './suggestion-broadcast.ts'

/** Maximum time that a request waits for the first suggestions of a store. */
const FIRST_WAIT_MS = 300

/**
 * A serving thread's view of the suggestions: the newest publication, read in place. The index of a
 * store is built on its first request, because most small stores never get one.
 */
export class SharedSuggestions implements SuggestionSource {
  readonly #onReceived: (bytes: number) => void
  /** Created from the buffers on first use. */
  readonly #stores = new Map<string, () => StoreSuggestions>()
  readonly #popularity = new Map<string, StorePopularity>()
  readonly #maker = new PortCalls<SuggestionRequests>()
  /** Waiting requests by log, until the first suggestions arrive. */
  readonly #asked = new Map<string, Promise<void>>()

  /** @param onReceived receives the shared memory received, whose predecessor can be freed */
  constructor(onReceived: (bytes: number) => void = () => undefined) {
    this.#onReceived = onReceived
  }

  /** The port of the thread that makes them; a new one when it was replaced. */
  connect(port: MessagePort): void {
    const published: SuggestionCalls['published'] = {
      suggestions: (log, built) => this.#takeSuggestions(log, built),
      popularity: (log, index, content, version) => {
        this.#popularity.set(log, { index: new PopularityIndex(index), content, version })
        this.#onReceived(index.byteLength)
      },
      removed: (log) => {
        this.#stores.delete(log)
        this.#popularity.delete(log)
        this.#asked.delete(log)
      },
    }
    serveCalls<SuggestionCalls>(port, { published }, endThread)
    this.#maker.connect(port)
    // A replacement does not know the requests to its predecessor.
    for (const log of this.#asked.keys()) void this.#ask(log)
  }

  async of(owner: LogOwner): Promise<StoreSuggestions | undefined> {
    const log = logNameOf(owner)
    if (!this.#stores.has(log)) {
      const made = this.#asked.get(log) ?? this.#ask(log)
      await Promise.race([made, sleep(FIRST_WAIT_MS, undefined, { ref: false })])
    }
    return this.#stores.get(log)?.()
  }

  /** Resolves when the first suggestions have arrived, or there is no thread to build them. */
  #ask(log: string): Promise<void> {
    const made = this.#maker.call('maker', 'want', [log]).catch(() => undefined)
    this.#asked.set(log, made)
    return made
  }

  popularity(owner: LogOwner): StorePopularity | undefined {
    return this.#popularity.get(logNameOf(owner))
  }

  #takeSuggestions(log: string, built: BuiltSuggestions): void {
    let made: StoreSuggestions | undefined
    this.#stores.set(log, () => {
      made ??= {
        matcher: new SuggestionMatcher(new SuggestionIndex(built.index)),
        profiles: new ProfileIndex(built.profiles),
        together: new TogetherIndex(built.together),
      }
      return made
    })
    this.#onReceived(bytesOf(built))
  }
}
