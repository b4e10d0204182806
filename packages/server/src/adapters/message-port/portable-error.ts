import { ApiError } from '@aisle/contract'
import type { ErrorCode, ErrorDetail } from '@aisle/contract'

/** An ApiError in a form that survives the way between threads. */
export interface PortableError {
  readonly code: ErrorCode
  readonly message: string
  readonly param: string | undefined
  readonly details: readonly ErrorDetail[]
  readonly retryAfterSeconds: number | undefined
}

export function toPortable(error: ApiError): PortableError {
  const { code, message, param, details, retryAfterSeconds } = error
  return { code, message, param, details, retryAfterSeconds }
}

export function fromPortable(error: PortableError): ApiError {
  const { code, message, param, details, retryAfterSeconds } = error
  return new ApiError(code, message, {
    param,
    details,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
