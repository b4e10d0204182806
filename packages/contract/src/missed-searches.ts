import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  EXPRESSION_MAX_CHARS,
  FIELD_NAME_MAX_CHARS,
  QUERY_LENGTH_MAX_CHARS,
  RULE_URL_MAX_CHARS,
  SYNONYM_MAX_CHARS,
} from './limits.ts'
import {
  MISSED_MEND_PINS_MAX,
  MISSED_SEARCH_DAYS_DEFAULT,
  MISSED_SEARCH_DAYS_MAX,
  MISSED_SEARCH_PAGE_MAX,
  MISSED_SEARCHES_DEFAULT,
  MISSED_SEARCHES_MAX,
} from './merchandising-limits.ts'
import { missedFigures, MissedReason } from './reports.ts'
import { SearchResponse } from './search-response.ts'

export const MISSED_STATES = ['open', 'fixed', 'dismissed'] as const
export type MissedState = (typeof MISSED_STATES)[number]

const days = Optional.Integer({
  minimum: 1,
  maximum: MISSED_SEARCH_DAYS_MAX,
  default: MISSED_SEARCH_DAYS_DEFAULT,
  description: 'Days of searches to consider.',
})
const query = (description: string) =>
  Type.String({ minLength: 1, maxLength: QUERY_LENGTH_MAX_CHARS, description })

export const MissedSearchParameters = Type.Object({
  state: Optional.Enum([...MISSED_STATES], { default: 'open' }),
  query: Optional.String({
    minLength: 1,
    maxLength: QUERY_LENGTH_MAX_CHARS,
    description: 'Only this query, in any state, even if it is not missed.',
  }),
  days,
  limit: Optional.Integer({
    minimum: 1,
    maximum: MISSED_SEARCHES_MAX,
    default: MISSED_SEARCHES_DEFAULT,
    description: 'Queries per page.',
  }),
  page: Optional.Integer({ minimum: 1, maximum: MISSED_SEARCH_PAGE_MAX, default: 1 }),
})
export type MissedSearchParameters = Static<typeof MissedSearchParameters>

/** How a missed search can be mended, by the change that it makes. */
export const MEND_KINDS = ['synonym', 'replace_query', 'category', 'redirect', 'pin'] as const
export type MendKind = (typeof MEND_KINDS)[number]

/** What a proposed mend comes from. */
export const MEND_SOURCES = ['visitors', 'spelling', 'catalog', 'meaning'] as const
export type MendSource = (typeof MEND_SOURCES)[number]

const mendProperties = {
  kind: Type.Enum([...MEND_KINDS], {
    description:
      '`synonym`: `from` (the whole query by default) also finds `to`. `replace_query`: a rule searches for `to` instead. `category`: a rule shows the products whose `field` is `value`. `redirect`: a rule sends visitors to `url`, the page of these products. `pin`: a rule puts `documents` first.',
  }),
  from: Optional.String({ minLength: 1, maxLength: SYNONYM_MAX_CHARS }),
  to: Optional.String({ minLength: 1, maxLength: SYNONYM_MAX_CHARS }),
  both_ways: Optional.Boolean({ description: 'A query for `to` also finds `from`.' }),
  field: Optional.String({ minLength: 1, maxLength: FIELD_NAME_MAX_CHARS }),
  value: Optional.String({ minLength: 1, maxLength: EXPRESSION_MAX_CHARS }),
  url: Optional.String({ minLength: 1, maxLength: RULE_URL_MAX_CHARS }),
  documents: Optional.Array(Type.String({ minLength: 1, maxLength: 512 }), {
    minItems: 1,
    maxItems: MISSED_MEND_PINS_MAX,
    description: 'Document ids, in their order.',
  }),
}
export const Mend = Type.Object(mendProperties, { $id: 'Mend', additionalProperties: false })
export type Mend = Static<typeof Mend>

const finds = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Products that a search for it finds now; `null` if time ran out.',
})
const etag = Type.String({
  description:
    '`ETag` of its state, for `If-Match`: 412 if somebody else has decided in the meantime.',
})

export const MissedSearch = Type.Object(
  {
    query: Type.String({ description: 'Lower case.' }),
    state: Type.Enum([...MISSED_STATES]),
    etag,
    reason: MissedReason,
    ...missedFigures,
    typed_next: Type.Array(
      Type.Object({
        query: Type.String(),
        visitors: Type.Integer(),
        visitors_clicked: Type.Integer({ description: 'Those who then clicked a result.' }),
      }),
      { description: 'Queries of the same session within 5 minutes, those with clicks first.' },
    ),
    documents: Type.Array(Type.String(), { description: 'Ids of products clicked then.' }),
    finds,
    decided_at: Optional.String({ format: 'date-time' }),
    decided_by: Optional.String({ description: 'Login of the person; absent for a key.' }),
    mend: Type.Optional(
      Type.Object(mendProperties, { description: 'What fixed it; absent if done elsewhere.' }),
    ),
    changed: Optional.Object(
      { kind: Type.Enum(['synonym_set', 'rule']), name: Type.String() },
      { description: 'What the fix created or added to.' },
    ),
  },
  { $id: 'MissedSearch' },
)
export type MissedSearch = Static<typeof MissedSearch>

export const MissedSearchList = Type.Object(
  {
    from: Type.String({ format: 'date-time' }),
    to: Type.String({ format: 'date-time' }),
    counts: Type.Object({
      open: Type.Integer(),
      fixed: Type.Integer(),
      dismissed: Type.Integer(),
    }),
    searches: Type.Array(MissedSearch, {
      description: 'Open ones by visitors lost, others by the time of the decision, newest first.',
    }),
    reports_clicks: Type.Boolean({
      description: 'Whether events include clicks; without them, only `no_results` are listed.',
    }),
  },
  { $id: 'MissedSearchList' },
)
export type MissedSearchList = Static<typeof MissedSearchList>

export const MendsParameters = Type.Object({ query: query('The missed query.'), days })
export type MendsParameters = Static<typeof MendsParameters>

export const MissedEffectParameters = Type.Object({ query: query('The fixed query.') })
export type MissedEffectParameters = Static<typeof MissedEffectParameters>

export const MendPreview = Type.Object(
  {
    mend: Mend,
    finds: Type.Integer({ description: 'Products that a search would find with it.' }),
    source: Optional.Enum([...MEND_SOURCES], {
      description:
        'Why it is proposed: what visitors did, the spelling of the catalog, its values, or words that mean about the same to the model of the setting `semantic`. Absent for your own.',
    }),
    visitors: Optional.Integer({ description: 'Visitors whose searches suggest it.' }),
    similarity: Optional.Number({
      description: 'Similarity of the two words, at most 1. Only for proposals by meaning.',
    }),
    result: SearchResponse,
  },
  { $id: 'MendPreview', description: 'A search with the fix, which is not saved.' },
)
export type MendPreview = Static<typeof MendPreview>

export const MendList = Type.Object(
  {
    query: Type.String(),
    now: SearchResponse,
    mends: Type.Array(MendPreview, {
      description: 'Only fixes that find something and change the products shown.',
    }),
    cutoff: Type.Boolean({ description: 'Time ran out before every idea was tried.' }),
  },
  { $id: 'MendList' },
)
export type MendList = Static<typeof MendList>

export const PreviewMendRequest = Type.Object(
  { query: query('The missed query.'), mend: Mend },
  { $id: 'PreviewMendRequest', additionalProperties: false },
)
export type PreviewMendRequest = Static<typeof PreviewMendRequest>

export const FixMissedSearchRequest = Type.Object(
  {
    query: query('The missed query.'),
    mend: Type.Optional(
      Type.Object(mendProperties, {
        additionalProperties: false,
        description: 'Absent: it was fixed elsewhere, and nothing else changes.',
      }),
    ),
  },
  { $id: 'FixMissedSearchRequest', additionalProperties: false },
)
export type FixMissedSearchRequest = Static<typeof FixMissedSearchRequest>

export const MissedQuery = Type.Object(
  { query: query('The missed query.') },
  { $id: 'MissedQuery', additionalProperties: false },
)
export type MissedQuery = Static<typeof MissedQuery>

export const DecidedMissedSearch = Type.Object(
  {
    query: Type.String(),
    state: Type.Enum([...MISSED_STATES]),
    etag,
    finds,
    changed: MissedSearch.properties.changed,
    kept_rule: Optional.String({
      description: 'Id of the rule of the fix, which stays because somebody has edited it since.',
    }),
  },
  { $id: 'DecidedMissedSearch' },
)
export type DecidedMissedSearch = Static<typeof DecidedMissedSearch>

const windowFigures = Type.Object({
  from: Type.String({ format: 'date-time' }),
  to: Type.String({ format: 'date-time' }),
  searches: Type.Integer(),
  click_through_rate: Type.Union([Type.Number(), Type.Null()]),
})

export const MissedSearchEffect = Type.Object(
  {
    query: Type.String(),
    status: Type.Enum(['measured', 'too_early', 'not_enough_searches', 'no_clicks_reported']),
    before: windowFigures,
    after: windowFigures,
  },
  {
    $id: 'MissedSearchEffect',
    description: 'Click-through before the fix and after it, in windows of equal length.',
  },
)
export type MissedSearchEffect = Static<typeof MissedSearchEffect>
