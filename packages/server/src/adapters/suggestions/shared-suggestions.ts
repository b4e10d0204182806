import type { MessagePort } from 'node:worker_threads'
import { logNameOf } from '@aisle/event-log'
import {
  PopularityIndex,
  ProfileIndex,
  SuggestionIndex,
  SuggestionMatcher,
} from '@aisle/suggestions'
import type { LogOwner } from '../../ports/event-log.ts'
import type {
  StorePopularity,
  StoreSuggestions,
  SuggestionSource,
} from '../../ports/suggestion-source.ts'
import { endThread, serveCalls } from '../message-port/serve-calls.ts'
import type { SuggestionCalls } from './suggestion-broadcast.ts'

/** The suggestions as a serving thread sees them: the newest that were published, read in place. */
export class SharedSuggestions implements SuggestionSource {
  readonly #onReceived: (bytes: number) => void
  /** Made of the buffers when they are first asked for. */
  readonly #stores = new Map<string, () => StoreSuggestions>()
  readonly #popularity = new Map<string, StorePopularity>()

  /** @param onReceived told how much shared memory has come; what it replaces can go */
  constructor(onReceived: (bytes: number) => void = () => undefined) {
    this.#onReceived = onReceived
  }

  /** The port of the thread that makes them; a new one when it was replaced. */
  connect(port: MessagePort): void {
    const published: SuggestionCalls['published'] = {
      suggestions: (log, index, profiles) => this.#takeSuggestions(log, index, profiles),
      popularity: (log, index, version) => {
        this.#popularity.set(log, { index: new PopularityIndex(index), version })
        this.#onReceived(index.byteLength)
      },
      removed: (log) => {
        this.#stores.delete(log)
        this.#popularity.delete(log)
      },
    }
    serveCalls<SuggestionCalls>(port, { published }, endThread)
  }

  of(owner: LogOwner): StoreSuggestions | undefined {
    return this.#stores.get(logNameOf(owner))?.()
  }

  popularity(owner: LogOwner): StorePopularity | undefined {
    return this.#popularity.get(logNameOf(owner))
  }

  #takeSuggestions(log: string, index: SharedArrayBuffer, profiles: SharedArrayBuffer): void {
    let made: StoreSuggestions | undefined
    this.#stores.set(log, () => {
      made ??= {
        matcher: new SuggestionMatcher(new SuggestionIndex(index)),
        profiles: new ProfileIndex(profiles),
      }
      return made
    })
    this.#onReceived(index.byteLength + profiles.byteLength)
  }
}
