import { ApiError, type ErrorCode, type ErrorDetail } from '@aisle/contract/errors'

/** An ApiError in a form that survives the transfer between threads. */
export interface PortableError {
  readonly code: ErrorCode
  readonly message: string
  readonly param: string | undefined
  readonly details: readonly ErrorDetail[]
  readonly retryAfterSeconds: number | undefined
  readonly resetAt: string | undefined
  readonly current: string | undefined
}

export function toPortable(error: ApiError): PortableError {
  const { code, message, param, details, retryAfterSeconds, resetAt, current } = error
  return { code, message, param, details, retryAfterSeconds, resetAt, current }
}

export function fromPortable(error: PortableError): ApiError {
  const { code, message, param, details, retryAfterSeconds, resetAt, current } = error
  return new ApiError(code, message, {
    param,
    details,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(resetAt === undefined ? {} : { resetAt }),
    current,
  })
}
