import { testIndexName } from '@aisle/testing'
import type { ClusterConnection } from './cluster-connection.ts'

/** Prefixes under which only the pool of products is left. */
const free: string[] = []

/** The prefix of the indices of a test. */
export interface LentPrefix {
  readonly prefix: string
  /** Removes all indices but the pool. Call it when all nodes are closed. */
  giveBack(cluster: ClusterConnection): Promise<void>
}

/**
 * Lends a prefix that no other test uses at the same time. A later one finds the pool of an earlier
 * one, because creating its 16 shards takes most of the processor time of a new installation. Each
 * store has its own scope there, so documents that were left are never found.
 */
export function lendPrefix(): LentPrefix {
  const prefix = free.pop() ?? testIndexName()
  return {
    prefix,
    async giveBack(cluster) {
      await cluster.request({ method: 'DELETE', path: `/${prefix}-*,-${prefix}-pool-*` })
      free.push(prefix)
    },
  }
}
