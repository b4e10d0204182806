import type { MessagePort } from 'node:worker_threads'
import type {
  BuiltSuggestions,
  SuggestionPublisher,
} from '../../ports/suggestions/suggestion-publisher.ts'
import { PortCalls } from '../message-port/port-calls.ts'
import { endThread, serveCalls } from '../message-port/serve-calls.ts'

/** The calls of the thread that builds suggestions to those that serve them. */
export interface SuggestionCalls {
  readonly published: Omit<SuggestionPublisher, 'outdated'>
}

/** The calls of serving threads to the thread that builds suggestions. */
export interface SuggestionRequests {
  readonly maker: {
    /**
     * Requests the suggestions of a store, which are built from now on. Resolves when the first
     * ones are published, or cannot be built.
     */
    want(log: string): Promise<void>
  }
}

type Publication = (thread: PortCalls<SuggestionCalls>) => void

/** Publishes to every connected thread, and sends the newest to threads that connect later. */
export class SuggestionBroadcast implements SuggestionPublisher {
  readonly #onPublished: (bytes: number) => void
  readonly #want: (log: string) => Promise<void>
  readonly #threads = new Set<PortCalls<SuggestionCalls>>()
  /** The newest publication by log. */
  readonly #suggestions = new Map<string, Publication>()
  readonly #popularity = new Map<string, Publication>()

  /**
   * @param onPublished receives the shared memory published, whose predecessor can be freed
   * @param want see `SuggestionRequests`
   */
  constructor(
    onPublished: (bytes: number) => void = () => undefined,
    want: (log: string) => Promise<void> = () => Promise.resolve(),
  ) {
    this.#onPublished = onPublished
    this.#want = want
  }

  connect(port: MessagePort): void {
    const thread = new PortCalls<SuggestionCalls>().connect(port)
    this.#threads.add(thread)
    serveCalls<SuggestionRequests>(port, { maker: { want: this.#want } }, endThread)
    port.on('close', () => this.#threads.delete(thread))
    for (const publication of this.#suggestions.values()) publication(thread)
    for (const publication of this.#popularity.values()) publication(thread)
  }

  suggestions(log: string, built: BuiltSuggestions): void {
    this.#onPublished(bytesOf(built))
    const publication: Publication = (thread) =>
      thread.tell('published', 'suggestions', [log, built])
    this.#suggestions.set(log, publication)
    this.#publish(publication)
  }

  popularity(log: string, index: SharedArrayBuffer, content: string, version: number): void {
    this.#onPublished(index.byteLength)
    const publication: Publication = (thread) =>
      thread.tell('published', 'popularity', [log, index, content, version])
    this.#popularity.set(log, publication)
    this.#publish(publication)
  }

  removed(log: string): void {
    this.#suggestions.delete(log)
    this.#popularity.delete(log)
    this.#publish((thread) => thread.tell('published', 'removed', [log]))
  }

  outdated(log: string): void {
    this.#suggestions.delete(log)
  }

  #publish(publication: Publication): void {
    for (const thread of this.#threads) publication(thread)
  }
}

export function bytesOf({ index, profiles, together }: BuiltSuggestions): number {
  return index.byteLength + profiles.byteLength + together.byteLength
}
