import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { COMPARED_SEARCHES_MAX, DRAFT_RESOURCES_MAX, PUBLISH_NOTE_MAX_CHARS } from './limits.ts'
import { ErrorResponse } from './responses.ts'
import { PutRuleRequest } from './rules.ts'
import { SearchResponse } from './search-response.ts'
import { SearchParameters } from './search.ts'
import { Semantic } from './semantic.ts'
import { PutStopwordSetRequest, PutSynonymSetRequest } from './sets.ts'
import { GivenSettings, StoreSettings } from './settings.ts'

const byName = <T extends Parameters<typeof Type.Union>[0][number]>(
  value: T,
  description: string,
) =>
  Type.Optional(
    Type.Record(Type.String(), Type.Union([value, Type.Null()]), {
      maxProperties: DRAFT_RESOURCES_MAX,
      description: `${description}; \`null\` deletes it.`,
    }),
  )

/** Unpublished changes of the settings that decide results. */
export const RelevanceDraft = Type.Object(
  {
    ranking: Optional.Object(GivenSettings.properties.ranking.properties, {
      additionalProperties: false,
      description:
        'A merge patch of the setting `ranking`: given members are set, `null` restores the default.',
    }),
    semantic: Optional.Object(
      {
        weight: Type.Optional(Semantic.properties.weight),
        questions: Type.Optional(Semantic.properties.questions),
        min_similarity: Type.Optional(Semantic.properties.min_similarity),
      },
      {
        additionalProperties: false,
        description: 'A merge patch of the setting `semantic`, which the store must have.',
      },
    ),
    synonym_sets: byName(
      PutSynonymSetRequest,
      'By name: a synonym set that replaces the saved one',
    ),
    stopword_sets: byName(PutStopwordSetRequest, 'By name: a stopword set'),
    rules: byName(PutRuleRequest, 'By id: a rule'),
  },
  {
    $id: 'RelevanceDraft',
    additionalProperties: false,
    description: 'Anything not named is unchanged.',
  },
)
export type RelevanceDraft = Static<typeof RelevanceDraft>

export const CompareRequest = Type.Object(
  {
    draft: RelevanceDraft,
    searches: Type.Array(
      Type.Partial(Type.Object(SearchParameters.properties), {
        description: 'A search, as for `POST /v1/search`.',
      }),
      { minItems: 1, maxItems: COMPARED_SEARCHES_MAX },
    ),
  },
  { $id: 'CompareRequest', additionalProperties: false },
)
export type CompareRequest = Static<typeof CompareRequest>

const answer = Type.Union([SearchResponse, ErrorResponse])

export const ComparedSearches = Type.Object(
  {
    results: Type.Array(Type.Object({ live: answer, draft: answer }), {
      description: 'In the order of the searches. A failed search has the error shape.',
    }),
  },
  { $id: 'ComparedSearches' },
)
export type ComparedSearches = Static<typeof ComparedSearches>

export const PublishRequest = Type.Object(
  {
    draft: RelevanceDraft,
    note: Optional.String({
      maxLength: PUBLISH_NOTE_MAX_CHARS,
      description: 'Reason for the change, for the history.',
    }),
  },
  { $id: 'PublishRequest', additionalProperties: false },
)
export type PublishRequest = Static<typeof PublishRequest>

export const PublishedDraft = Type.Object(
  { settings: StoreSettings },
  { $id: 'PublishedDraft', description: 'The settings now in force.' },
)
export type PublishedDraft = Static<typeof PublishedDraft>
