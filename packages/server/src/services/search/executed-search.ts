import type { SearchParameters } from '@aisle/contract'
import type { Analyzer, Schema, SearchOutcome } from '@aisle/engine'
import type { ExperimentArm } from '@aisle/event-log'
import type { Team } from '../../domain/plan/team-draft.ts'
import type { PlannedSearch } from '../../domain/plan/plan-search.ts'
import type { QuerySuggestion } from '../../domain/query/alternative-queries.ts'
import type { RuleEffects } from '../../domain/rules/rule-effects.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import type { ServicePorts } from '../service-ports.ts'
import type { AskedInterpretation } from './interpreted-request.ts'
import type { RequestPace } from './request-pace.ts'
import type { VisitorTaste } from './visitor-taste.ts'

/** A search between execute and present: the request, its plan and its outcome. */
export interface ExecutedSearch {
  readonly ports: Pick<ServicePorts, 'reader'>
  readonly storeId: string
  /** `content` of the view, which the docKeys of the hits belong to. */
  readonly content: string
  readonly schema: Schema
  readonly resources: StoreResources
  readonly analyzer: Analyzer
  /** The request with the query as rules rewrote it. */
  readonly request: SearchParameters
  readonly planned: PlannedSearch
  /** Undefined if none applied. */
  readonly rules: RuleEffects | undefined
  readonly isRewritten: boolean
  readonly interpretation: AskedInterpretation | undefined
  /** See `MeantSearch.isSkipped`. */
  readonly isSemanticSkipped: boolean
  readonly taste: VisitorTaste | undefined
  readonly outcome: SearchOutcome
  /** The order that placed a hit, by docKey, if interleaved. */
  readonly teams?: ReadonlyMap<number, Team> | undefined
  /** The search as the draft answers it, for the hits that it placed. */
  readonly drafted?: ExecutedSearch | undefined
  readonly experiment?: { readonly id: string; readonly arm: ExperimentArm } | undefined
  /** Undefined if not requested. */
  readonly suggested:
    | { readonly suggestions: readonly QuerySuggestion[]; readonly cutoff: boolean }
    | undefined
  /** A better spelling of words that the catalog knows but may misspell too. */
  readonly meant: { readonly text: string | undefined; readonly cutoff: boolean }
  readonly warnings: readonly string[]
  readonly pace: RequestPace
}
