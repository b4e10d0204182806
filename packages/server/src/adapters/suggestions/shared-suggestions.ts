import type { MessagePort } from 'node:worker_threads'
import { logNameOf } from '@aisle/events'
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
import type { FromSuggestionsThread } from './messages.ts'

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
    port.on('message', (message: FromSuggestionsThread) => this.#receive(message))
  }

  of(owner: LogOwner): StoreSuggestions | undefined {
    return this.#stores.get(logNameOf(owner))?.()
  }

  popularity(owner: LogOwner): StorePopularity | undefined {
    return this.#popularity.get(logNameOf(owner))
  }

  #receive(message: FromSuggestionsThread): void {
    switch (message.kind) {
      case 'removed':
        this.#stores.delete(message.log)
        this.#popularity.delete(message.log)
        break
      case 'popularity': {
        const { log, index, version } = message
        this.#popularity.set(log, { index: new PopularityIndex(index), version })
        this.#onReceived(index.byteLength)
        break
      }
      case 'suggestions':
        this.#receiveSuggestions(message)
        break
    }
  }

  #receiveSuggestions(message: FromSuggestionsThread & { kind: 'suggestions' }): void {
    const { index, profiles } = message
    let made: StoreSuggestions | undefined
    this.#stores.set(message.log, () => {
      made ??= {
        matcher: new SuggestionMatcher(new SuggestionIndex(index)),
        profiles: new ProfileIndex(profiles),
      }
      return made
    })
    this.#onReceived(index.byteLength + profiles.byteLength)
  }
}
