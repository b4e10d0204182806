import type { Static } from 'typebox'
import { Type } from './type.ts'
import {
  SYNONYM_MAX_CHARS,
  SYNONYM_SUGGESTION_DAYS_DEFAULT,
  SYNONYM_SUGGESTION_DAYS_MAX,
  SYNONYM_SUGGESTIONS_DEFAULT,
  SYNONYM_SUGGESTIONS_MAX,
} from './limits.ts'

/** The set that accepted pairs go to, unless another one is named. */
export const TRAFFIC_SYNONYM_SET = 'from-traffic'

export const SynonymSuggestionParameters = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SYNONYM_SUGGESTION_DAYS_MAX,
      default: SYNONYM_SUGGESTION_DAYS_DEFAULT,
      description: 'How far back searches count.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SYNONYM_SUGGESTIONS_MAX,
      default: SYNONYM_SUGGESTIONS_DEFAULT,
    }),
  ),
})
export type SynonymSuggestionParameters = Static<typeof SynonymSuggestionParameters>

const phrase = (description: string) =>
  Type.String({ minLength: 1, maxLength: SYNONYM_MAX_CHARS, description })

const pair = {
  from: phrase('What visitors type first.'),
  to: phrase('What they type in its place.'),
}

export const SynonymSuggestion = Type.Object(
  {
    ...pair,
    both_ways: Type.Boolean({ description: 'Visitors replace `to` by `from` as well.' }),
    visitors: Type.Integer({
      description: 'Who replaced one by the other within minutes, and clicked then.',
    }),
    visitors_tried: Type.Integer({ description: 'The same, clicked or not.' }),
    visitors_gave_up: Type.Integer({ description: 'Who gave up `from`, for whatever.' }),
    visitors_found_few: Type.Integer({
      description: 'Of `visitors`, those whose first search found at most 3.',
    }),
    clicks: Type.Integer({ description: 'Products clicked then, once for each visitor.' }),
    corrected_clicks: Type.Integer({
      description: 'The same, each counting its position, 10 at most.',
    }),
    examples: Type.Array(
      Type.Object({ from: Type.String(), to: Type.String(), visitors: Type.Integer() }),
      { description: 'Whole queries, those of most visitors first.' },
    ),
    documents: Type.Array(Type.String(), { description: 'Ids of products clicked most.' }),
  },
  { $id: 'SynonymSuggestion' },
)
export type SynonymSuggestion = Static<typeof SynonymSuggestion>

export const SynonymSuggestionList = Type.Object(
  {
    suggestions: Type.Array(SynonymSuggestion, { description: 'Those of most visitors first.' }),
    rejected: Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        rejected_at: Type.String({ format: 'date-time' }),
      }),
      { description: 'Not suggested again, newest first.' },
    ),
    reports_clicks: Type.Boolean({
      description: 'Somebody reports clicks: without, nothing can be suggested.',
    }),
  },
  { $id: 'SynonymSuggestionList' },
)
export type SynonymSuggestionList = Static<typeof SynonymSuggestionList>

export const AcceptSynonymRequest = Type.Object(
  {
    ...pair,
    both_ways: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'A query for `to` finds `from` too, not only the other way round.',
      }),
    ),
    set: Type.Optional(
      Type.String({
        minLength: 1,
        default: TRAFFIC_SYNONYM_SET,
        description: 'Name of the synonym set that gets the entry; made if there is none.',
      }),
    ),
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
