import type { Static } from 'typebox'
import { Type } from './type.ts'
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
  description: 'Applies to every search of the store that names no set of this kind.',
})
const name = Type.String({ description: 'Name of the set.' })
const synonymText = Type.String({ minLength: 1, maxLength: SYNONYM_MAX_CHARS })

export const SynonymItem = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: RESOURCE_NAME_MAX_CHARS,
        description: 'Yours; kept and answered.',
      }),
    ),
    synonyms: Type.Array(synonymText, {
      minItems: 1,
      maxItems: SYNONYMS_PER_ITEM_MAX,
      description:
        'Words, or several words side by side. Without `root` at least two, each of which finds the others.',
    }),
    root: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: SYNONYM_MAX_CHARS,
        description: 'One-way: a query for this finds the synonyms too, not the other way round.',
      }),
    ),
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
  description: 'Words (or several words side by side) that are left out of queries.',
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
