import { ApiError } from '@aisle/contract'
import { ClusterError, isDiskFull } from '../opensearch/cluster-error.ts'

const RETRY_SECONDS = 2
const FULL_RETRY_SECONDS = 30

/**
 * Returns the error for clients when the cluster fails; it never repeats the cluster's words about
 * a node or an index.
 */
export function clusterFailure(error: unknown, what: string): unknown {
  if (!(error instanceof ClusterError)) return error
  if (isDiskFull(error)) {
    return new ApiError(
      'disk_reserve',
      `Cannot ${what}: the disks of the cluster are full. Searches and reads continue; free up disk space`,
      { retryAfterSeconds: FULL_RETRY_SECONDS, cause: error },
    )
  }
  return new ApiError('unavailable', `Cannot ${what}: the cluster failed`, {
    retryAfterSeconds: RETRY_SECONDS,
    cause: error,
  })
}
