import type { Static } from 'typebox'
import {
  EVENT_ID_MAX_CHARS,
  EXPRESSION_MAX_CHARS,
  FIELD_NAME_MAX_CHARS,
  ORIGIN_MAX_CHARS,
  RESOURCE_NAME_MAX_CHARS,
  TOKEN_LIST_MAX,
} from './limits.ts'
import { Optional, Type } from './type.ts'

const list = (charsMax: number, description: string) =>
  Optional.Array(Type.String({ minLength: 1, maxLength: charsMax }), {
    maxItems: TOKEN_LIST_MAX,
    description,
  })

/** Claims of a scoped token (docs/tokens.md). An unknown member makes the token invalid. */
export const TokenScope = Type.Object(
  {
    expires_at: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Expiry in seconds since 1970.',
    }),
    filter_by: Optional.String({
      minLength: 1,
      maxLength: EXPRESSION_MAX_CHARS,
      description: 'The token sees only documents that match it.',
    }),
    preset_name: Optional.String({
      minLength: 1,
      maxLength: RESOURCE_NAME_MAX_CHARS,
      description: 'The preset of each search.',
    }),
    parameters: list(
      FIELD_NAME_MAX_CHARS,
      'Parameters allowed in a request, besides `q` and `query`. Default: all.',
    ),
    user_id: Optional.String({
      minLength: 1,
      maxLength: EVENT_ID_MAX_CHARS,
      description: 'The visitor who sends the requests; counts as signed.',
    }),
    events: Optional.Boolean({
      default: true,
      description: 'Whether the token may send events.',
    }),
    personalize: Type.Optional(
      Type.Literal(false, { description: 'Searches with the token are never personal.' }),
    ),
    origins: list(ORIGIN_MAX_CHARS, 'Origins of the pages that may use the token.'),
  },
  { $id: 'TokenScope', additionalProperties: false },
)
export type TokenScope = Static<typeof TokenScope>
