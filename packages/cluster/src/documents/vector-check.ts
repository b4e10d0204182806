import { ApiError } from '@aisle/contract'
import { queryVector } from '@aisle/engine'
import type { DeclaredField } from '@aisle/server/ports'
import { clusterFailure } from '../control/cluster-failure.ts'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { ClusterError } from '../opensearch/cluster-error.ts'
import { poolName } from '../opensearch/product-index.ts'
import { nearQuery } from '../opensearch/product-vectors.ts'

/** Why this cluster can compare no vectors, if it cannot. */
export const NO_SCRIPTS =
  'this cluster cannot compare vectors, because it does not run Painless scripts (module lang-painless, settings script.allowed_types and script.allowed_contexts)'

/**
 * Vectors are compared by a script. An operator can turn scripts off, so the cluster tries one that
 * no document reaches.
 *
 * @throws ClusterError
 */
export async function runsScripts(cluster: ClusterConnection, prefix: string): Promise<boolean> {
  const vector = queryVector([0], 'cosine')
  const near = nearQuery({ field: 0, vector, least: 0 })
  const path = `/${poolName(prefix, 0)}/_search`
  const query = { bool: { filter: [{ term: { scope: '' } }, near] } }
  try {
    await cluster.request({ method: 'POST', path, body: { size: 0, query }, repeatable: true })
    return true
  } catch (error) {
    if (error instanceof ClusterError && error.kind === 'refused') return false
    throw error
  }
}

/**
 * @throws ApiError invalid_schema if a field has vectors, and the cluster does not run the script
 */
export async function requireScripts(
  cluster: ClusterConnection,
  prefix: string,
  fields: readonly Pick<DeclaredField, 'name' | 'type'>[],
): Promise<void> {
  const field = fields.find(({ type }) => type === 'vector')
  if (field === undefined) return
  const isAble = await runsScripts(cluster, prefix).catch((error: unknown) => {
    throw clusterFailure(error, 'define the schema')
  })
  if (isAble) return
  throw new ApiError(
    'invalid_schema',
    `Cannot define the schema: field "${field.name}": ${NO_SCRIPTS}.`,
    { param: 'fields' },
  )
}
