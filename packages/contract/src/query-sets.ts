import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  GRADE_MAX,
  JUDGMENTS_PER_QUERY_MAX,
  QUERIES_PER_QUERY_SET_MAX,
  QUERY_LENGTH_MAX_CHARS,
  RULE_DESCRIPTION_MAX_CHARS,
} from './limits.ts'

const judgment = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 512, description: 'Document id.' }),
    grade: Type.Number({
      minimum: 0,
      maximum: GRADE_MAX,
      description: 'Grade for the query: 0 irrelevant, 3 exactly what was meant.',
    }),
  },
  { additionalProperties: false },
)

const setQuery = Type.Object(
  {
    q: Type.String({ maxLength: QUERY_LENGTH_MAX_CHARS, description: 'Query.' }),
    weight: Optional.Number({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 1,
      description: 'Weight of the query, for example how often it is searched for.',
    }),
    judgments: Optional.Array(judgment, { maxItems: JUDGMENTS_PER_QUERY_MAX }),
  },
  { $id: 'QuerySetQuery', additionalProperties: false },
)

/** Queries to compare settings with, and how people grade their results. */
export const PutQuerySetRequest = Type.Object(
  {
    description: Optional.String({ maxLength: RULE_DESCRIPTION_MAX_CHARS }),
    queries: Type.Array(setQuery, { maxItems: QUERIES_PER_QUERY_SET_MAX }),
  },
  { $id: 'PutQuerySetRequest', additionalProperties: false },
)
export type PutQuerySetRequest = Static<typeof PutQuerySetRequest>

export const QuerySet = Type.Object(
  {
    name: Type.String({ description: 'Name of the set.' }),
    ...PutQuerySetRequest.properties,
  },
  { $id: 'QuerySet' },
)
export type QuerySet = Static<typeof QuerySet>

export const QuerySetList = Type.Object(
  { query_sets: Type.Array(QuerySet) },
  { $id: 'QuerySetList' },
)
