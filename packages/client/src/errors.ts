import type { ErrorCode, ErrorDetail, ErrorResponse } from '@aisle/contract'

/** The service refused a request. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number
  /**
   * A code of the error registry (`docs/errors.md`), or one of a newer service; absent if a proxy
   * answered.
   */
  readonly code: ErrorCode | (string & {}) | undefined
  readonly param: string | undefined
  readonly details: readonly ErrorDetail[]
  readonly requestId: string | undefined
  /** How long the service asks to wait before a retry, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    status: number,
    body: Partial<ErrorResponse> | undefined,
    fallback: string,
    retryAfterMs?: number,
  ) {
    super(body?.error ?? fallback)
    this.status = status
    this.code = body?.code
    this.param = body?.param
    this.details = body?.details ?? []
    this.requestId = body?.request_id
    this.retryAfterMs = retryAfterMs
  }
}

/** No response: the service is unreachable, or the connection broke. */
export class UnreachableError extends Error {
  override readonly name: string = 'UnreachableError'
}

/** No response before the timeout. */
export class TimedOutError extends UnreachableError {
  override readonly name = 'TimedOutError'
}

/** The client lacks the secret that a call needs. */
export class MissingSecretError extends Error {
  override readonly name = 'MissingSecretError'
  readonly secret: Secret

  constructor(secret: Secret) {
    super(`This call needs the ${SECRET_NAMES[secret]}`)
    this.secret = secret
  }
}

/** The credential that a route needs. */
export type Secret = 'admin' | 'write' | 'read'

const SECRET_NAMES: Readonly<Record<Secret, string>> = {
  admin: 'admin token',
  write: 'write secret of the store',
  read: 'read secret of the store',
}
