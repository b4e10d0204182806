import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { COMPARED_SEARCHES_MAX, DRAFT_RESOURCES_MAX, PUBLISH_NOTE_MAX_CHARS } from './limits.ts'
import { PutPresetRequest } from './presets.ts'
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

/** They decide nothing about results, or need a new index: a draft cannot have them. */
const NOT_IN_DRAFTS = [
  'language',
  'symbols_to_index',
  'token_separators',
  'product_card',
  'cors_origins',
  'identity',
  'popularity_trial',
  'cache',
  'quota',
  'events',
] as const satisfies readonly (keyof GivenSettings)[]

/** All other settings, those to come included. */
const drafted = Object.fromEntries(
  Object.entries(GivenSettings.properties).filter(
    ([name]) => !NOT_IN_DRAFTS.some((one) => one === name),
  ),
) as Omit<typeof GivenSettings.properties, (typeof NOT_IN_DRAFTS)[number]>

/** Names of the settings that a draft may have. */
export const DRAFT_SETTINGS: readonly string[] = Object.keys(drafted)

/** Unpublished changes of what decides results. */
export const RelevanceDraft = Type.Object(
  {
    ...drafted,
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
    presets: byName(PutPresetRequest, 'By name: a preset'),
  },
  {
    $id: 'RelevanceDraft',
    additionalProperties: false,
    description:
      'Settings are merge patches: given members are set, `null` restores the default. Anything not named is unchanged.',
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
