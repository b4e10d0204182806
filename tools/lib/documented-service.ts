import { ServerProcess, TEST_CLUSTER, testIndexName } from '@aisle/testing'

/** Characters that a name of indices may begin with. */
const PREFIX_MAX = 32

/**
 * A service for documented requests: on one machine; with `npm run test:cluster` a node whose
 * indices are deleted with it.
 */
export async function startDocumentedService(): Promise<
  Pick<ServerProcess, 'url' | 'adminToken'> & { stop(): Promise<void> }
> {
  if (TEST_CLUSTER.length === 0) return ServerProcess.start({ threads: 1 })
  const prefix = testIndexName().slice(0, PREFIX_MAX)
  const server = await ServerProcess.start({
    environment: {
      AISLE_OPENSEARCH_URL: TEST_CLUSTER.join(','),
      AISLE_OPENSEARCH_PREFIX: prefix,
    },
  })
  return {
    url: server.url,
    adminToken: server.adminToken,
    async stop() {
      await server.stop()
      await fetch(`${TEST_CLUSTER[0]}/${prefix}*`, { method: 'DELETE' })
    },
  }
}
