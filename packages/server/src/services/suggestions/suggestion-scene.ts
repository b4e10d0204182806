import type { Visitor } from '@aisle/event-log'
import { interestsOf, type Interest } from '@aisle/suggestions'
import type { SuggestionRequest } from '../../domain/suggestions/suggestion-request.ts'
import type { SuggestionRules } from '../../domain/suggestions/suggestion-rules.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { StoreSuggestions } from '../../ports/suggestions/suggestion-source.ts'
import type { RequestPace } from '../search/request-pace.ts'
import type { ServicePorts } from '../service-ports.ts'

/** The input of the suggestions for one keystroke. */
export interface SuggestionScene {
  readonly ports: Pick<ServicePorts, 'registry' | 'reader' | 'clock' | 'suggestions'>
  readonly storeId: string
  readonly view: SearchView
  readonly rules: SuggestionRules
  readonly request: SuggestionRequest
  /** Undefined if nothing is known about visitors. */
  readonly known: StoreSuggestions | undefined
  readonly visitor: Visitor
  readonly pace: RequestPace
}

/** Recent interests of the visitor named by the identity headers. */
export function interestsFor({ known, rules, visitor, ports }: SuggestionScene): Interest[] {
  if (known === undefined || !rules.config.personalization_enabled) return []
  return interestsOf(known.profiles.of(visitor), ports.clock.now())
}
