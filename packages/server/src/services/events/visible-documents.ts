import { ApiError, TOKEN_EVENT_DOCUMENTS_MAX } from '@aisle/contract'
import { DeadlineReached } from '@aisle/engine'
import { factsOf, type RefusedEvent, type VisitorEvent } from '@aisle/event-log'
import type { DocumentReader } from '../../ports/catalog/document-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'

/** The time of a request, and its announcement to the watch: see `RequestPace`. */
interface LookUpPace {
  readonly startMs: number
  readonly timeoutMaxMs: number
  begin(work: string): void
}

/** What a scoped token sees of a store: decides which of its events count. */
export class VisibleDocuments {
  readonly #reader: Pick<DocumentReader, 'fetch'>
  readonly #storeId: string
  readonly #view: SearchView | undefined
  readonly #pace: LookUpPace

  /**
   * @param view the part of the store that the token sees, in the turns of `pace`; undefined if
   * there is no store
   */
  constructor(
    reader: Pick<DocumentReader, 'fetch'>,
    storeId: string,
    view: SearchView | undefined,
    pace: LookUpPace,
  ) {
    this.#reader = reader
    this.#storeId = storeId
    this.#view = view
    this.#pace = pace
  }

  /**
   * Splits events into those that count, and those about a document that the token does not see.
   * The latter would move popularity and revenue of products that are none of the token's business.
   *
   * @throws ApiError unavailable if the filter of the token takes longer than a search may; then
   * none of the events is stored
   */
  async split(
    events: readonly VisitorEvent[],
  ): Promise<{ readonly seen: VisitorEvent[]; readonly dropped: RefusedEvent[] }> {
    const idsOf = new Map(events.map((event) => [event, factsOf(event).documentIds]))
    const ids = new Set([...idsOf.values()].flat())
    const visible = await this.#among([...ids].slice(0, TOKEN_EVENT_DOCUMENTS_MAX))
    const seen: VisitorEvent[] = []
    const dropped: RefusedEvent[] = []
    for (const event of events) {
      const hidden = idsOf.get(event)!.find((id) => !visible.has(id))
      if (hidden === undefined) seen.push(event)
      else dropped.push(droppedEvent(event, hidden))
    }
    return { seen, dropped }
  }

  async #among(ids: readonly string[]): Promise<Set<string>> {
    const view = this.#view
    if (ids.length === 0 || view?.schema === undefined) return new Set()
    this.#pace.begin(`${this.#storeId}\nevents of documents among ${view.scope ?? 'all'}`)
    const keys = await this.#keysOf(ids, view)
    const documentOf = await this.#reader.fetch(this.#storeId, keys, view.content)
    return new Set(keys.flatMap((key) => documentOf(key)?.id ?? []))
  }

  async #keysOf(ids: readonly string[], view: SearchView): Promise<number[]> {
    const { startMs, timeoutMaxMs } = this.#pace
    try {
      return [...(await view.matchingKeys({ kind: 'ids', ids }, startMs + timeoutMaxMs))]
    } catch (error) {
      if (!(error instanceof DeadlineReached)) throw error
      throw new ApiError(
        'unavailable',
        'The filter of the scoped token took too long; no event was stored. Send them again, or simplify the filter',
        { retryAfterSeconds: 1 },
      )
    }
  }
}

function droppedEvent({ name, source, messageId }: VisitorEvent, id: string): RefusedEvent {
  const reasons = [`The scoped token has no access to the document "${id.slice(0, 100)}"`]
  return { verdict: 'dropped_unknown', name, source, reasons, messageId }
}
