import { ApiError } from '@aisle/contract'
import type { SnapshotReader } from '@aisle/server/ports'

/** The cluster restores the indices of an installation together, under their own names. */
export const CLUSTER_SNAPSHOT_READER: SnapshotReader = {
  stores: refuse,
  open: refuse,
}

function refuse(): Promise<never> {
  const message =
    'A snapshot of a cluster holds the indices of all stores, and is restored as a whole with the tools of OpenSearch (docs/cluster.md)'
  return Promise.reject(new ApiError('restore_unsupported', message))
}
