import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { COLLECTION_TITLE_MAX_CHARS } from './merchandising-limits.ts'
import { EXPRESSION_MAX_CHARS, RULE_DESCRIPTION_MAX_CHARS } from './limits.ts'

const properties = {
  title: Optional.String({
    minLength: 1,
    maxLength: COLLECTION_TITLE_MAX_CHARS,
    description: 'What people read. Default: the name.',
  }),
  description: Optional.String({ maxLength: RULE_DESCRIPTION_MAX_CHARS }),
  filter_by: Type.String({
    minLength: 1,
    maxLength: EXPRESSION_MAX_CHARS,
    description:
      'The documents of the collection: any filter, but not by another collection. Dates without an offset, and `now`, are in UTC.',
  }),
}

/** A saved filter with a name, which other filters refer to as `_collection:name`. */
export const PutCollectionRequest = Type.Object(properties, {
  $id: 'PutCollectionRequest',
  additionalProperties: false,
})
export type PutCollectionRequest = Static<typeof PutCollectionRequest>

export const Collection = Type.Object(
  { name: Type.String({ description: 'Name of the collection.' }), ...properties },
  { $id: 'Collection' },
)
export type Collection = Static<typeof Collection>

export const CollectionList = Type.Object(
  { collections: Type.Array(Collection) },
  { $id: 'CollectionList' },
)
