import type { ErrorCode } from '@aisle/contract'

/** The fault of a value. */
export interface Fault {
  readonly code: ErrorCode
  /** Text after the name of the field. */
  readonly message: string
}
