import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { ClusterConnection } from './cluster-connection.ts'
import { ClusterError } from './cluster-error.ts'
import { ProductRequests } from './product-requests.ts'

/** What a write comes to when the cluster says this about it. */
async function outcomeOf(status: number, type: string | undefined): Promise<unknown> {
  const error = type === undefined ? {} : { error: { type, reason: 'because' } }
  const server = createServer((_, reply) => {
    reply
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ items: [{ create: { status, ...error } }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const cluster = new ClusterConnection({ urls: [`http://127.0.0.1:${port}`] })
  try {
    const place = { scope: '1a', index: 'pool', routing: 'shop' }
    const write = { place, id: 'x', expected: 'absent', body: '{}' } as const
    const [outcome] = await new ProductRequests(cluster).write([write])
    return outcome instanceof ClusterError ? outcome.kind : outcome
  } finally {
    await cluster.close()
    server.closeAllConnections()
    server.close()
  }
}

suite('Writes of products', () => {
  test('only what is wrong with the document is refused, all else may be tried again', async () => {
    for (const [status, type, expected] of [
      [201, undefined, 'done'],
      [409, 'version_conflict_engine_exception', 'conflict'],
      [404, undefined, 'conflict'],
      [400, 'mapper_parsing_exception', 'refused'],
      [404, 'index_not_found_exception', 'busy'],
      [503, 'unavailable_shards_exception', 'busy'],
      [429, 'rejected_execution_exception', 'busy'],
      [403, 'cluster_block_exception', 'busy'],
      // A shard that has just been closed, or has lost its role, on a node that comes back.
      [404, 'illegal_index_shard_state_exception', 'busy'],
      [404, 'shard_not_in_primary_mode_exception', 'busy'],
      [404, 'shard_not_found_exception', 'busy'],
    ] as const) {
      assert.equal(await outcomeOf(status, type), expected, `${status} ${type}`)
    }
  })
})
