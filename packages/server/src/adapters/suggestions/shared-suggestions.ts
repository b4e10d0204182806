import type { MessagePort } from 'node:worker_threads'
import { logNameOf } from '@aisle/events'
import { ProfileIndex, SuggestionIndex, SuggestionMatcher } from '@aisle/suggestions'
import type { LogOwner } from '../../ports/event-log.ts'
import type { StoreSuggestions, SuggestionSource } from '../../ports/suggestion-source.ts'
import type { FromSuggestionsThread } from './messages.ts'

/** The suggestions as a serving thread sees them: the newest that were published, read in place. */
export class SharedSuggestions implements SuggestionSource {
  readonly #onReceived: (bytes: number) => void
  /** Made of the buffers when they are first asked for. */
  readonly #stores = new Map<string, () => StoreSuggestions>()

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

  #receive(message: FromSuggestionsThread): void {
    if (message.kind === 'removed') {
      this.#stores.delete(message.log)
      return
    }
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
