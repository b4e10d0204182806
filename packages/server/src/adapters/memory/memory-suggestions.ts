import type { Analyzer } from '@aisle/engine'
import type { LogEntry } from '@aisle/event-log'
import {
  buildPopularityIndex,
  buildProfileIndex,
  buildSuggestionIndex,
  buildTogetherIndex,
  dayOf,
  PopularityIndex,
  ProfileIndex,
  QueryHistory,
  SuggestionIndex,
  SuggestionMatcher,
  TogetherIndex,
  SpellingBook,
  type CatalogName,
  type Spelling,
} from '@aisle/suggestions'
import type { Awaitable } from '../../ports/awaitable.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LogOwner } from '../../ports/event-log.ts'
import type { StoreSuggestions, SuggestionSource } from '../../ports/suggestion-source.ts'

/** Texts whose spelling is asked for at a time: few, so that asking again is tried too. */
const TEXTS_ASKED = 3

/** Suggestions computed from all events for every request. For tests. */
export function createMemorySuggestions(options: {
  readonly events: { entries(owner: LogOwner): readonly LogEntry[] }
  readonly clock: Clock
  readonly analyzerOf: (owner: LogOwner) => Analyzer
  readonly namesOf: (owner: LogOwner) => readonly CatalogName[]
  /** Absent: everything is suggested as it was typed. */
  readonly spell?: (
    owner: LogOwner,
    texts: readonly string[],
  ) => Awaitable<readonly (Spelling | undefined)[] | undefined>
  readonly docKeyOf: (owner: LogOwner, id: string) => number | undefined
  readonly contentOf: (owner: LogOwner) => string
}): SuggestionSource {
  const { events, clock, analyzerOf, namesOf, spell, docKeyOf, contentOf } = options
  const historyOf = (owner: LogOwner): QueryHistory => {
    const history = new QueryHistory(analyzerOf(owner))
    for (const entry of events.entries(owner)) history.apply(entry)
    history.tick(clock.now())
    return history
  }
  const suggestionsOf = async (owner: LogOwner): Promise<StoreSuggestions> => {
    const { table, documents, profiles, together, seen } = historyOf(owner)
    const today = dayOf(clock.now())
    const spellings = new SpellingBook(analyzerOf(owner))
    if (spell !== undefined) {
      spellings.begin(table, namesOf(owner))
      for (let texts; (texts = spellings.next(TEXTS_ASKED)).length > 0;) {
        const found = await spell(owner, texts)
        spellings.take(texts, found ?? [])
      }
    }
    const index = buildSuggestionIndex({
      table,
      documents: documents.documents,
      names: namesOf(owner),
      spellings,
      analyzer: analyzerOf(owner),
      today,
    })
    return {
      matcher: new SuggestionMatcher(new SuggestionIndex(index)),
      profiles: new ProfileIndex(buildProfileIndex(profiles.items)),
      together: new TogetherIndex(buildTogetherIndex({ together, seen, today })),
    }
  }
  return {
    popularity(owner) {
      const { appeal, table } = historyOf(owner)
      const today = dayOf(clock.now())
      const find = (id: string) => docKeyOf(owner, id)
      const index = buildPopularityIndex({ appeal, table, docKeyOf: find, today })
      return {
        index: new PopularityIndex(index),
        content: contentOf(owner),
        version: appeal.changes,
      }
    },
    of: (owner) => suggestionsOf(owner),
  }
}
