import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  RESOURCE_NAME_MAX_CHARS,
  STOPWORD_MAX_CHARS,
  STOPWORDS_PER_SET_MAX,
  SYNONYM_ITEMS_MAX,
  SYNONYM_MAX_CHARS,
  SYNONYMS_PER_ITEM_MAX,
} from './limits.ts'

const byDefault = Type.Boolean({
  default: false,
  description: 'Applies to all searches that name no set of this kind.',
})
const name = Type.String({ description: 'Name of the set.' })
const synonymText = Type.String({ minLength: 1, maxLength: SYNONYM_MAX_CHARS })

export const SynonymItem = Type.Object(
  {
    id: Optional.String({
      minLength: 1,
      maxLength: RESOURCE_NAME_MAX_CHARS,
      description: 'Your own id; stored and returned.',
    }),
    synonyms: Type.Array(synonymText, {
      minItems: 1,
      maxItems: SYNONYMS_PER_ITEM_MAX,
      description: 'Words or phrases. Without `root`, at least two that find each other.',
    }),
    root: Optional.String({
      minLength: 1,
      maxLength: SYNONYM_MAX_CHARS,
      description: 'One-way: a query for this also finds the synonyms, but not the reverse.',
    }),
  },
  { $id: 'SynonymItem', additionalProperties: false },
)
export type SynonymItem = Static<typeof SynonymItem>

const items = Type.Array(SynonymItem, { maxItems: SYNONYM_ITEMS_MAX })

export const PutSynonymSetRequest = Type.Object(
  { items, default: Type.Optional(byDefault) },
  { $id: 'PutSynonymSetRequest', additionalProperties: false },
)
export type PutSynonymSetRequest = Static<typeof PutSynonymSetRequest>

export const SynonymSet = Type.Object({ name, items, default: byDefault }, { $id: 'SynonymSet' })
export type SynonymSet = Static<typeof SynonymSet>

export const SynonymSetList = Type.Object(
  { synonym_sets: Type.Array(SynonymSet) },
  { $id: 'SynonymSetList' },
)

const stopwords = Type.Array(Type.String({ minLength: 1, maxLength: STOPWORD_MAX_CHARS }), {
  maxItems: STOPWORDS_PER_SET_MAX,
  description: 'Words or phrases to remove from queries.',
})

export const PutStopwordSetRequest = Type.Object(
  { stopwords, default: Type.Optional(byDefault) },
  { $id: 'PutStopwordSetRequest', additionalProperties: false },
)
export type PutStopwordSetRequest = Static<typeof PutStopwordSetRequest>

export const StopwordSet = Type.Object(
  { name, stopwords, default: byDefault },
  { $id: 'StopwordSet' },
)
export type StopwordSet = Static<typeof StopwordSet>

export const StopwordSetList = Type.Object(
  { stopword_sets: Type.Array(StopwordSet) },
  { $id: 'StopwordSetList' },
)

export const DeletedResource = Type.Object(
  { name: Type.String(), status: Type.Literal('deleted') },
  { $id: 'DeletedResource' },
)
export type DeletedResource = Static<typeof DeletedResource>
