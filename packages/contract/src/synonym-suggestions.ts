import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  SYNONYM_MAX_CHARS,
  SYNONYM_SUGGESTION_DAYS_DEFAULT,
  SYNONYM_SUGGESTION_DAYS_MAX,
  SYNONYM_SUGGESTIONS_DEFAULT,
  SYNONYM_SUGGESTIONS_MAX,
} from './limits.ts'

/** The default set for accepted pairs. */
export const TRAFFIC_SYNONYM_SET = 'from-traffic'

export const SynonymSuggestionParameters = Type.Object({
  days: Optional.Integer({
    minimum: 1,
    maximum: SYNONYM_SUGGESTION_DAYS_MAX,
    default: SYNONYM_SUGGESTION_DAYS_DEFAULT,
    description: 'Days of searches to consider.',
  }),
  limit: Optional.Integer({
    minimum: 1,
    maximum: SYNONYM_SUGGESTIONS_MAX,
    default: SYNONYM_SUGGESTIONS_DEFAULT,
  }),
})
export type SynonymSuggestionParameters = Static<typeof SynonymSuggestionParameters>

const phrase = (description: string) =>
  Type.String({ minLength: 1, maxLength: SYNONYM_MAX_CHARS, description })

const pair = {
  from: phrase('The phrase that visitors type first.'),
  to: phrase('The phrase that they type instead.'),
}

export const SynonymSuggestion = Type.Object(
  {
    ...pair,
    both_ways: Type.Boolean({ description: 'Visitors also replace `to` by `from`.' }),
    visitors: Type.Integer({
      description: 'Visitors who replaced one by the other within minutes and then clicked.',
    }),
    visitors_tried: Type.Integer({ description: 'The same, with or without a click.' }),
    visitors_gave_up: Type.Integer({ description: 'Visitors who replaced `from` by anything.' }),
    visitors_found_few: Type.Integer({
      description: 'Those of `visitors` whose first search found at most 3.',
    }),
    clicks: Type.Integer({ description: 'Products clicked after it, once per visitor.' }),
    corrected_clicks: Type.Integer({
      description: 'The same, each weighted by its position, at most 10.',
    }),
    examples: Type.Array(
      Type.Object({ from: Type.String(), to: Type.String(), visitors: Type.Integer() }),
      { description: 'Whole queries, by number of visitors.' },
    ),
    documents: Type.Array(Type.String(), { description: 'Ids of the most clicked products.' }),
  },
  { $id: 'SynonymSuggestion' },
)
export type SynonymSuggestion = Static<typeof SynonymSuggestion>

export const SynonymSuggestionList = Type.Object(
  {
    suggestions: Type.Array(SynonymSuggestion, { description: 'By number of visitors.' }),
    rejected: Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        rejected_at: Type.String({ format: 'date-time' }),
      }),
      { description: 'Rejected pairs, newest first; they are not suggested again.' },
    ),
    reports_clicks: Type.Boolean({
      description: 'Whether events include clicks; without them, there are no suggestions.',
    }),
  },
  { $id: 'SynonymSuggestionList' },
)
export type SynonymSuggestionList = Static<typeof SynonymSuggestionList>

export const AcceptSynonymRequest = Type.Object(
  {
    ...pair,
    both_ways: Optional.Boolean({
      default: false,
      description: 'Makes the pair two-way: a query for `to` also finds `from`.',
    }),
    set: Optional.String({
      minLength: 1,
      default: TRAFFIC_SYNONYM_SET,
      description: 'Name of the synonym set for the entry; created if missing.',
    }),
  },
  { $id: 'AcceptSynonymRequest', additionalProperties: false },
)
export type AcceptSynonymRequest = Static<typeof AcceptSynonymRequest>

export const SynonymPair = Type.Object(pair, { $id: 'SynonymPair', additionalProperties: false })
export type SynonymPair = Static<typeof SynonymPair>

export const DecidedSynonym = Type.Object(
  {
    from: Type.String(),
    to: Type.String(),
    status: Type.Enum(['rejected', 'restored']),
  },
  { $id: 'DecidedSynonym' },
)
export type DecidedSynonym = Static<typeof DecidedSynonym>
