/** Why a source could not be read. */
export type SourceFault =
  /** It cannot be reached, or answered with an error: trying later may help. */
  | 'unreachable'
  /** Its address is one that the operator does not allow. */
  | 'forbidden_address'
  /** It refused the credentials. */
  | 'unauthorized'
  /** It was reached, and what it sent cannot be read. */
  | 'unreadable'
  /** A limit of size or time was exceeded. */
  | 'too_large'
  /** It no longer has the changes after the position: everything must be read again. */
  | 'position_lost'

/** A problem of a source, in words for the person who configured it and without secrets. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly fault: SourceFault

  constructor(fault: SourceFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}
