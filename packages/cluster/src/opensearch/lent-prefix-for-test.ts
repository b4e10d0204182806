import { testIndexName } from '@aisle/testing'
import type { ClusterConnection } from './cluster-connection.ts'
import { ControlIndex } from './control-index.ts'
import { NumberBlocks } from './number-blocks.ts'

/** The prefix of the indices of a test. */
export interface LentPrefix {
  readonly prefix: string
  /** Removes all indices but the pool. Call it when all nodes are closed. */
  giveBack(): Promise<void>
}

/** No test needs more scopes of documents. */
const SCOPES_MAX = 100_000

/** Prefixes under which only the pool of products is left, and how often they were lent. */
const free: { readonly prefix: string; readonly uses: number }[] = []

/**
 * Lends a prefix that no other test uses at the same time. A later test finds the pool of an
 * earlier one, because creating its 16 shards takes most of the processor time of a new
 * installation. Documents that were left there are never found: scopes are not used again.
 */
export async function lendPrefix(cluster: ClusterConnection): Promise<LentPrefix> {
  const { prefix, uses } = free.pop() ?? { prefix: testIndexName(), uses: 0 }
  if (uses > 0) {
    const control = await ControlIndex.open(cluster, `${prefix}-control-v1`)
    await new NumberBlocks(control).take('scopes', uses * SCOPES_MAX)
  }
  return {
    prefix,
    async giveBack() {
      await cluster.request({ method: 'DELETE', path: `/${prefix}-*,-${prefix}-pool-*` })
      free.push({ prefix, uses: uses + 1 })
    },
  }
}
