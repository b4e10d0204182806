/** The kind of failure between us and the cluster. */
export type ClusterErrorKind =
  /**
   * The cluster cannot be used as it is: wrong version, missing rights, red. An operator must act.
   */
  | 'unfit'
  /** No node responded in time; the request may have been executed. */
  | 'unreachable'
  /** The cluster is overloaded or out of space: nothing was done, but a retry may succeed. */
  | 'busy'
  /** The cluster rejected the request. */
  | 'refused'

export class ClusterError extends Error {
  override readonly name = 'ClusterError'
  readonly kind: ClusterErrorKind
  /** HTTP status, if there was a response. */
  readonly status: number | undefined
  /** The cluster's name for the error, such as `resource_already_exists_exception`. */
  readonly type: string
  /** For logs, without the words of a search or a document. */
  readonly code: string

  constructor(
    kind: ClusterErrorKind,
    message: string,
    options: { status?: number; type?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.status = options.status
    this.type = options.type ?? ''
    this.code = [kind, this.status, this.type].filter(Boolean).join(' ')
  }
}

/**
 * Above its last disk watermark a cluster blocks the indices on a disk until space is free again. A
 * block with 503 is different: the node has no manager.
 */
export function isDiskFull({ type, status }: ClusterError): boolean {
  return type === 'cluster_block_exception' && (status === 403 || status === 429)
}
