import type { Static } from 'typebox'
import { Type } from './type.ts'
import { ERROR_STATUS, type ErrorCode } from './errors.ts'

const errorCode = Type.Enum(Object.keys(ERROR_STATUS) as ErrorCode[], {
  $id: 'ErrorCode',
  description: 'Why a request failed; `docs/errors.md` explains each.',
})

/** The one shape of a failure. */
export const ErrorResponse = Type.Object(
  {
    error: Type.String({ description: 'What is wrong, for people.' }),
    code: errorCode,
    status: Type.Integer({ description: 'The HTTP status.' }),
    param: Type.Optional(Type.String({ description: 'Where: `per_page`, `data.colour`.' })),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          param: Type.Optional(Type.String()),
          code: errorCode,
          message: Type.String(),
        }),
        { description: 'Every single thing that is wrong.' },
      ),
    ),
    reset_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the next quota period begins.' }),
    ),
    request_id: Type.String({ description: 'The same as the `x-request-id` header.' }),
  },
  { $id: 'Error' },
)

const StartCount = Type.Object({ done: Type.Integer(), total: Type.Integer() })

export const HealthResponse = Type.Object(
  {
    status: Type.Enum(['ok', 'starting']),
    starting: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'What is not ready yet. With `ok`: what starts in the background, as the reports; absent when all of it runs.',
      }),
    ),
    progress: Type.Optional(
      Type.Object(
        { stores: StartCount, documents: StartCount },
        { description: 'What is searchable of what there is; all 0 until the stores are known.' },
      ),
    ),
  },
  { $id: 'Health' },
)
export type ErrorResponse = Static<typeof ErrorResponse>
export type HealthResponse = Static<typeof HealthResponse>
