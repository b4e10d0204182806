import { CREATION_LIMIT_MS } from './cluster-connection.ts'
import type { ClusterConnection } from './cluster-connection.ts'
import { ClusterError, isDiskFull } from './cluster-error.ts'

/** Creates an index unless it exists; several nodes may do so at the same time. */
export async function createIndex(
  cluster: ClusterConnection,
  name: string,
  body: { readonly settings: object; readonly mappings: object },
): Promise<void> {
  try {
    await cluster.request({
      method: 'PUT',
      path: `/${name}?wait_for_active_shards=1`,
      body,
      // The second time it exists.
      repeatable: true,
      limitMs: CREATION_LIMIT_MS,
    })
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    if (error.type === 'resource_already_exists_exception') return
    // A full cluster refuses to create what exists, too. A node that starts can serve reads.
    if (!isDiskFull(error)) throw error
    await cluster.request({ method: 'GET', path: `/${name}/_mapping`, repeatable: true })
  }
}
