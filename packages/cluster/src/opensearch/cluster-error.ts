/** What went wrong between us and the cluster. */
export type ClusterErrorKind =
  /** It cannot be used as it is: wrong version, missing rights, red. An operator must act. */
  | 'unfit'
  /** No node answered, or too late: what was asked may have been done. */
  | 'unreachable'
  /** It has too much to do, or no room for more: nothing was done, and later it may be. */
  | 'busy'
  /** It understood the question and said no. */
  | 'refused'

export class ClusterError extends Error {
  override readonly name = 'ClusterError'
  readonly kind: ClusterErrorKind
  /** Its HTTP status, where it answered. */
  readonly status: number | undefined
  /** Its own name for the error, like `resource_already_exists_exception`. */
  readonly type: string

  constructor(
    kind: ClusterErrorKind,
    message: string,
    options: { status?: number; type?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.status = options.status
    this.type = options.type ?? ''
  }
}
