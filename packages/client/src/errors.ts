import type { ErrorDetail, ErrorResponse } from '@aisle/contract'

/** The service refused a request, and said why. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number
  /** Of the registry of errors; absent when something between answered. */
  readonly code: string | undefined
  readonly param: string | undefined
  readonly details: readonly ErrorDetail[]
  readonly requestId: string | undefined

  constructor(status: number, body: Partial<ErrorResponse> | undefined, fallback: string) {
    super(body?.error ?? fallback)
    this.status = status
    this.code = body?.code
    this.param = body?.param
    this.details = body?.details ?? []
    this.requestId = body?.request_id
  }
}

/** No answer came: the service is not there, or the connection broke. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** The secret that a call needs was not given. */
export class MissingSecretError extends Error {
  override readonly name = 'MissingSecretError'
  readonly secret: Secret

  constructor(secret: Secret) {
    super(`This call needs the ${SECRET_NAMES[secret]}`)
    this.secret = secret
  }
}

/** What opens a route. */
export type Secret = 'admin' | 'write' | 'read'

const SECRET_NAMES: Readonly<Record<Secret, string>> = {
  admin: 'admin token',
  write: 'write secret of the store',
  read: 'read secret of the store',
}
