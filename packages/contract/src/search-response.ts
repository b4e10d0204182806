import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { ScoreExplanation } from './explanation.ts'
import { ShownFacets } from './facet-display.ts'
import { ErrorResponse } from './responses.ts'

const document = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The stored fields as sent, and `id`.',
})
const marked = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
  description: 'By field: the text with marks; `string[]` fields give lists.',
})

const curated = Optional.Boolean({ description: 'Pinned by a rule: not ranked, with score 0.' })

const distances = Type.Optional(
  Type.Record(Type.String(), Type.Integer(), {
    description:
      'By geopoint field: metres from the place hits are sorted by, or else from the center of the filter circle, to the nearest place of the document.',
  }),
)

const similarity = Optional.Number({
  description:
    'With the parameter `vector`: similarity of the vector of the document, with four decimals.',
})

export const SearchHit = Type.Object(
  {
    id: Type.String(),
    document,
    highlight: Type.Optional(marked),
    text_match_score: Type.Integer({ description: 'Relevance: higher is better.' }),
    curated,
    geo_distance_meters: distances,
    vector_similarity: similarity,
    snippets: Type.Optional(marked),
    explanation: Type.Optional(ScoreExplanation),
  },
  { $id: 'SearchHit' },
)

/** `hit_format: "flat"` puts the fields of the document next to these members. */
export const FlatHit = Type.Object(
  {
    id: Type.String(),
    _highlight: Type.Optional(marked),
    _snippets: Type.Optional(marked),
    _text_match_score: Type.Integer(),
    _curated: curated,
    _geo_distance_meters: distances,
    _vector_similarity: similarity,
    _explanation: Type.Optional(ScoreExplanation),
  },
  { $id: 'FlatHit', additionalProperties: true },
)

const valueCount = Type.Object(
  {
    value: Type.String(),
    count: Type.Integer(),
    highlighted: Optional.String({ description: 'The value with marks, with `facet_query`.' }),
    from: Optional.String({ description: 'Start of a calendar interval, ISO 8601.' }),
    to: Optional.String({ description: 'End of a calendar interval, exclusive.' }),
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
    stats: Optional.Object({
      min: Type.Number(),
      max: Type.Number(),
      sum: Type.Number(),
      avg: Type.Number(),
    }),
  }),
  { $id: 'FacetCounts' },
)

export const HitGroup = Type.Object(
  {
    group_key: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
      description: 'Values of the group fields, in their order; null if the documents have none.',
    }),
    found: Type.Integer({ description: 'Number of matching documents in the group; exact.' }),
    hits: Type.Array(Type.Union([SearchHit, FlatHit]), {
      description: 'The best hits of the group.',
    }),
  },
  { $id: 'HitGroup' },
)

const warnings = Optional.Array(Type.String())

const InterpretedFilter = Type.Object(
  {
    kind: Type.Enum(['value', 'price', 'cheap']),
    field: Type.String(),
    operator: Type.Enum(['=', '<', '<=', '>', '>=', 'between']),
    values: Type.Array(Type.Union([Type.String(), Type.Number()]), {
      description: 'Any of these; both ends of `between`.',
    }),
    text: Type.String({ description: 'The part of the query, for `interpret_except`.' }),
    start: Type.Integer({ description: 'Where it begins in `q`, in UTF-16 code units.' }),
    end: Type.Integer(),
    filter_by: Type.String(),
  },
  { $id: 'InterpretedFilter' },
)

export const Interpretation = Type.Object(
  {
    filters: Type.Array(InterpretedFilter, { description: 'In the order of their texts.' }),
    filter_by: Type.String({ description: 'All of them as one filter expression.' }),
    rest: Type.String({ description: 'What is left of the query; empty if nothing is.' }),
    applied: Type.Boolean({ description: 'Whether `rest` was searched with the filters.' }),
  },
  { $id: 'Interpretation' },
)
export type Interpretation = Static<typeof Interpretation>

const PersonalLift = Type.Object(
  {
    field: Type.String(),
    value: Optional.String({ description: 'The value that is lifted; absent for a price alone.' }),
    price: Optional.Object(
      { field: Type.String(), from: Type.Number(), to: Type.Number() },
      { description: 'Only at these prices.' },
    ),
    share: Type.Number({ description: 'Share by which it raises points.' }),
    because: Optional.Array(
      Type.Object({
        action: Type.Enum(['looked', 'cart', 'bought', 'searched']),
        id: Optional.String({ description: 'The product; absent for a search.' }),
      }),
      { description: 'With `explain`: what the visitor did.' },
    ),
  },
  { $id: 'PersonalLift' },
)

export const Personalized = Type.Object(
  {
    as_of: Optional.Integer({
      description: 'For `personalize_as_of` of later pages: milliseconds since 1970.',
    }),
    lifts: Optional.Array(PersonalLift, { description: 'The strongest first.' }),
    skipped: Optional.Enum(['time'], {
      description: 'The taste of the visitor was not ready in time: the results are not personal.',
    }),
  },
  { $id: 'Personalized' },
)
export type Personalized = Static<typeof Personalized>

export const SearchResponse = Type.Object(
  {
    found: Type.Integer({
      description: 'Number of matching documents; exact unless `search_cutoff`.',
    }),
    found_semantic: Optional.Integer({
      description:
        'How many of `found` no word found, only their meaning: with `vector` or the setting `semantic`, words and `min_similarity`.',
    }),
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
    found_groups: Optional.Integer({
      description: 'Number of groups of all matching documents; exact as well.',
    }),
    grouped_hits: Optional.Array(HitGroup),
    facets: Type.Optional(FacetMap),
    facet_counts: Type.Optional(FacetCounts),
    facet_display: Type.Optional(ShownFacets),
    suggestions: Optional.Array(Type.Object({ text: Type.String(), score: Type.Number() })),
    rewritten_query: Optional.String({ description: 'The query searched, if rules changed it.' }),
    corrected_query: Optional.String({
      description: 'The corrected query, if the results rely on corrections.',
    }),
    did_you_mean: Optional.String({
      description:
        'A query that finds more: rare words replaced by frequent ones one edit away, unknown words by the nearest ones. Hits with the words as typed come first.',
    }),
    interpretation: Type.Optional(Interpretation),
    semantic: Optional.Enum(['skipped'], {
      description:
        'The search ranks by words alone, because the vector of its query was not ready in time.',
    }),
    personalized: Type.Optional(Personalized),
    search_cutoff: Optional.Boolean({
      description: 'The search timed out: results cover only part of the documents.',
    }),
    experiment: Optional.Object(
      { id: Type.String(), arm: Type.Enum(['live', 'draft', 'interleaved']) },
      { description: 'The experiment that the search is part of, and what answered it.' },
    ),
    applied_rules: Optional.Array(Type.String(), {
      description: 'Ids of the rules that applied, in order; absent if none did.',
    }),
    metadata: Optional.Object(
      {
        banner: Type.Optional(
          Type.Unknown({ description: 'The banner of the first rule with one.' }),
        ),
        banners: Optional.Array(Type.Unknown(), { description: 'The banners of all rules.' }),
        redirect: Optional.Object({ url: Type.String() }, { additionalProperties: true }),
      },
      {
        additionalProperties: true,
        description: 'Data of rules for the page: banners, a redirect, custom members.',
      },
    ),
    cached: Type.Boolean(),
    search_id: Type.String({ description: 'UUID to send with events.' }),
    search_time_ms: Type.Number(),
    warnings,
  },
  { $id: 'SearchResponse' },
)

export const MultiSearchResponse = Type.Object(
  {
    results: Type.Array(Type.Union([SearchResponse, ErrorResponse]), {
      description: 'One response per query, in order; a failed query has the error shape.',
    }),
    warnings,
  },
  { $id: 'MultiSearchResponse' },
)

export const FiltersResponse = Type.Object(
  {
    facets: FacetMap,
    facet_display: Type.Optional(ShownFacets),
    search_cutoff: Optional.Boolean(),
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
