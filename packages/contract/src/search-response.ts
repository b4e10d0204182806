import type { Static } from 'typebox'
import { Type } from './type.ts'
import { ScoreExplanation } from './explanation.ts'
import { ErrorResponse } from './responses.ts'

const document = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The stored fields, as they were sent, and `id`.',
})
const marked = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
  description: 'By field: the text with marks; `string[]` fields give lists.',
})

const curated = Type.Optional(
  Type.Boolean({ description: 'A rule has pinned it: it is not ranked, its score is 0.' }),
)

const distances = Type.Optional(
  Type.Record(Type.String(), Type.Integer(), {
    description:
      'By geopoint field: metres from the place that hits are sorted by, else from the center of the circle that they are filtered by, to the nearest place of the document.',
  }),
)

export const SearchHit = Type.Object(
  {
    id: Type.String(),
    document,
    highlight: Type.Optional(marked),
    text_match_score: Type.Integer({ description: 'Relevance: higher is better.' }),
    curated,
    geo_distance_meters: distances,
    snippets: Type.Optional(marked),
    explanation: Type.Optional(ScoreExplanation),
  },
  { $id: 'SearchHit' },
)

/** `hit_format: "flat"`: the document's own fields stand beside these. */
export const FlatHit = Type.Object(
  {
    id: Type.String(),
    _highlight: Type.Optional(marked),
    _snippets: Type.Optional(marked),
    _text_match_score: Type.Integer(),
    _curated: curated,
    _geo_distance_meters: distances,
    _explanation: Type.Optional(ScoreExplanation),
  },
  { $id: 'FlatHit', additionalProperties: true },
)

const valueCount = Type.Object(
  {
    value: Type.String(),
    count: Type.Integer(),
    highlighted: Type.Optional(
      Type.String({ description: 'With `facet_query`: the value with marks.' }),
    ),
    from: Type.Optional(
      Type.String({ description: 'Of a calendar interval: when it begins, ISO 8601.' }),
    ),
    to: Type.Optional(
      Type.String({ description: 'Of a calendar interval: when it ends, exclusive.' }),
    ),
  },
  { $id: 'FacetValue' },
)
const number = Type.Union([Type.Number(), Type.Null()])

export const FacetMap = Type.Record(
  Type.String(),
  Type.Union([Type.Array(valueCount), Type.Object({ min: number, max: number })]),
  {
    $id: 'FacetMap',
    description:
      'By field: values with counts (string, bool, calendar intervals), or `{min, max}` (numbers and dates, as seconds; null when no document has a value).',
  },
)

export const FacetCounts = Type.Array(
  Type.Object({
    field: Type.String(),
    counts: Type.Array(valueCount),
    total_values: Type.Integer(),
    stats: Type.Optional(
      Type.Object({
        min: Type.Number(),
        max: Type.Number(),
        sum: Type.Number(),
        avg: Type.Number(),
      }),
    ),
  }),
  { $id: 'FacetCounts' },
)

export const HitGroup = Type.Object(
  {
    group_key: Type.Array(
      Type.Union([Type.String(), Type.Integer(), Type.Boolean(), Type.Null()]),
      { description: 'Values of the group fields, in their order; null: the documents have none.' },
    ),
    found: Type.Integer({ description: 'Matching documents of the group; exact.' }),
    hits: Type.Array(Type.Union([SearchHit, FlatHit]), { description: 'The best of them.' }),
  },
  { $id: 'HitGroup' },
)

const warnings = Type.Optional(Type.Array(Type.String()))

export const SearchResponse = Type.Object(
  {
    found: Type.Integer({ description: 'Matching documents; exact unless `search_cutoff`.' }),
    page: Type.Integer(),
    per_page: Type.Integer(),
    total_pages: Type.Integer(),
    matched_terms: Type.Enum(['all', 'any'], {
      description:
        '`all`: every hit has all significant words of the query; `any`: some hits may lack one. See `require_all_terms`.',
    }),
    hits: Type.Array(Type.Union([SearchHit, FlatHit]), {
      description: 'Empty with `group_by`.',
    }),
    found_groups: Type.Optional(
      Type.Integer({ description: 'Groups of all matching documents; exact too.' }),
    ),
    grouped_hits: Type.Optional(Type.Array(HitGroup)),
    facets: Type.Optional(FacetMap),
    facet_counts: Type.Optional(FacetCounts),
    suggestions: Type.Optional(
      Type.Array(Type.Object({ text: Type.String(), score: Type.Number() })),
    ),
    rewritten_query: Type.Optional(
      Type.String({ description: 'What was searched, when rules changed the query.' }),
    ),
    corrected_query: Type.Optional(
      Type.String({ description: 'The query as corrected, when the answer rests on corrections.' }),
    ),
    did_you_mean: Type.Optional(
      Type.String({
        description:
          'The query with rare words replaced by frequent ones an edit away, and words that nothing stands for by the nearest ones, when that finds more. Hits with the words as typed come first.',
      }),
    ),
    search_cutoff: Type.Optional(
      Type.Boolean({ description: 'Time was up: this covers a part of the documents.' }),
    ),
    applied_rules: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Ids of the rules that applied, in their order; absent when there was none.',
      }),
    ),
    metadata: Type.Optional(
      Type.Object(
        {
          banner: Type.Optional(Type.Unknown({ description: 'That of the first rule with one.' })),
          banners: Type.Optional(Type.Array(Type.Unknown(), { description: 'Of all rules.' })),
          redirect: Type.Optional(
            Type.Object({ url: Type.String() }, { additionalProperties: true }),
          ),
        },
        {
          additionalProperties: true,
          description: 'What rules have for the page: banners, a redirect, their own members.',
        },
      ),
    ),
    cached: Type.Boolean(),
    search_id: Type.String({ description: 'UUID, for events.' }),
    search_time_ms: Type.Number(),
    warnings,
  },
  { $id: 'SearchResponse' },
)

export const MultiSearchResponse = Type.Object(
  {
    results: Type.Array(Type.Union([SearchResponse, ErrorResponse]), {
      description: 'One answer per query, in order; a query that failed has the error shape.',
    }),
    warnings,
  },
  { $id: 'MultiSearchResponse' },
)

export const FiltersResponse = Type.Object(
  {
    facets: FacetMap,
    search_cutoff: Type.Optional(Type.Boolean()),
    warnings,
  },
  { $id: 'FiltersResponse' },
)
export type SearchHit = Static<typeof SearchHit>
export type FlatHit = Static<typeof FlatHit>
export type FacetMap = Static<typeof FacetMap>
export type FacetCounts = Static<typeof FacetCounts>
export type HitGroup = Static<typeof HitGroup>
export type SearchResponse = Static<typeof SearchResponse>
export type MultiSearchResponse = Static<typeof MultiSearchResponse>
export type FiltersResponse = Static<typeof FiltersResponse>
