import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { ERROR_STATUS, type ErrorCode } from './errors.ts'

const errorCode = Type.Enum(Object.keys(ERROR_STATUS) as ErrorCode[], {
  $id: 'ErrorCode',
  description: 'Why a request failed; `docs/errors.md` explains each.',
})

/** The shape of every error response. */
export const ErrorResponse = Type.Object(
  {
    error: Type.String({ description: 'What is wrong, for humans.' }),
    code: errorCode,
    status: Type.Integer({ description: 'The HTTP status.' }),
    param: Optional.String({
      description: 'Path of the invalid value: `per_page`, `data.colour`.',
    }),
    details: Optional.Array(
      Type.Object({
        param: Optional.String(),
        code: errorCode,
        message: Type.String(),
      }),
      { description: 'All errors of the request.' },
    ),
    reset_at: Optional.String({
      format: 'date-time',
      description: 'When the next quota period begins.',
    }),
    current: Type.Optional(
      Type.Unknown({ description: 'What is stored now, for `precondition_failed`.' }),
    ),
    request_id: Type.String({ description: 'The same as the `x-request-id` header.' }),
  },
  { $id: 'Error' },
)

const StartCount = Type.Object({ done: Type.Integer(), total: Type.Integer() })

export const HealthResponse = Type.Object(
  {
    status: Type.Enum(['ok', 'starting']),
    starting: Optional.Array(Type.String(), {
      description:
        'What is not ready yet. With `ok`: what still starts in the background, such as reports; absent when everything runs.',
    }),
    progress: Optional.Object(
      { stores: StartCount, documents: StartCount },
      { description: 'Searchable and total numbers; all 0 until the stores are known.' },
    ),
  },
  { $id: 'Health' },
)
export type ErrorResponse = Static<typeof ErrorResponse>
export type HealthResponse = Static<typeof HealthResponse>
