import type { Analyzer } from '@aisle/engine'
import {
  buildProfileIndex,
  buildSuggestionIndex,
  dayOf,
  ProfileIndex,
  QueryHistory,
  SuggestionIndex,
  SuggestionMatcher,
  type CatalogName,
} from '@aisle/suggestions'
import type { Clock } from '../../ports/clock.ts'
import type { LogOwner } from '../../ports/event-log.ts'
import type { SuggestionSource } from '../../ports/suggestion-source.ts'
import type { MemoryEventLog } from './memory-event-log.ts'

/** Suggestions made anew of all events whenever they are asked for. For tests. */
export function createMemorySuggestions(options: {
  readonly events: MemoryEventLog
  readonly clock: Clock
  readonly analyzerOf: (owner: LogOwner) => Analyzer
  readonly namesOf: (owner: LogOwner) => readonly CatalogName[]
}): SuggestionSource {
  const { events, clock, analyzerOf, namesOf } = options
  return {
    of(owner) {
      const analyzer = analyzerOf(owner)
      const history = new QueryHistory(analyzer)
      for (const entry of events.entries(owner)) history.apply(entry)
      history.tick(clock.now())
      const { table, documents, profiles } = history
      const index = buildSuggestionIndex({
        table,
        documents: documents.documents,
        names: namesOf(owner),
        analyzer,
        today: dayOf(clock.now()),
      })
      return {
        matcher: new SuggestionMatcher(new SuggestionIndex(index)),
        profiles: new ProfileIndex(buildProfileIndex(profiles.items)),
      }
    },
  }
}
