import { ApiError } from '@aisle/contract'
import { ClusterError } from '@aisle/opensearch'

const RETRY_SECONDS = 2

/** What a client is told when the cluster fails: never its own words about a node or an index. */
export function clusterFailure(error: unknown, what: string): unknown {
  if (!(error instanceof ClusterError)) return error
  return new ApiError('unavailable', `Cannot ${what}: the cluster behind the service fails`, {
    retryAfterSeconds: RETRY_SECONDS,
    cause: error,
  })
}
