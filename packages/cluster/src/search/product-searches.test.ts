import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ClusterError } from '../opensearch/cluster-error.ts'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { searchProducts } from './product-searches.ts'

const WELL = { status: 200, _shards: { failed: 0 }, hits: { hits: [] } }
const onAll = (type: string) => ({
  status: 500,
  error: { type: 'search_phase_execution_exception', root_cause: [{ type }] },
})
const onOne = (type: string) => ({
  ...WELL,
  _shards: { failed: 1, failures: [{ reason: { type } }] },
})

/** A cluster that fails at the first way to ask, and answers the other one. */
function failing(answer: object): { cluster: ClusterConnection; asked: unknown[][] } {
  const asked: unknown[][] = []
  const request = async ({ lines }: { lines: unknown[] }): Promise<unknown> => {
    asked.push(lines)
    return { responses: [asked.length === 1 ? answer : WELL] }
  }
  return { cluster: { request } as unknown as ClusterConnection, asked }
}

const search = (cluster: ClusterConnection) =>
  searchProducts(cluster, { index: 'pool', routing: 'shop' } as never, [{ first: true }], {
    deadlineMs: undefined,
    otherBody: () => ({ other: true }),
  })

suite('a search that fails by a bug of the cluster', () => {
  for (const type of ['index_out_of_bounds_exception', 'array_index_out_of_bounds_exception']) {
    for (const [where, answer] of [
      ['all shards', onAll(type)],
      ['one shard', onOne(type)],
    ] as const) {
      test(`is asked in another way: ${type} on ${where}`, async () => {
        const { cluster, asked } = failing(answer)
        assert.equal((await search(cluster)).length, 1)
        assert.match(JSON.stringify(asked[1]), /"other":true/)
      })
    }
  }

  test('is an error when it is another fault: half an answer is none', async () => {
    for (const answer of [onAll('circuit_breaking_exception'), onOne('node_disconnected')]) {
      const { cluster, asked } = failing(answer)
      await assert.rejects(search(cluster), ClusterError)
      assert.equal(asked.length, 1)
    }
  })
})

test('a search that comes again looks the same, whatever time is left', async () => {
  const asked: unknown[][] = []
  const request = async ({ lines }: { lines: unknown[] }): Promise<unknown> => {
    asked.push(lines)
    return { responses: [WELL] }
  }
  const cluster = { request } as unknown as ClusterConnection
  const send = (leftMs: number, isOnce = false) =>
    searchProducts(cluster, { index: 'pool', routing: 'shop' } as never, [{}], {
      deadlineMs: performance.now() + leftMs,
      isOnce,
    })
  await send(2_000)
  await send(1_960)
  assert.deepEqual(asked[0], asked[1])
  const [header, body] = asked[0] as Record<string, unknown>[]
  assert.equal(body!['timeout'], '2048ms')
  assert.equal(header!['request_cache'], true)
  await send(-5, true)
  const [headerOnce, bodyOnce] = asked[2] as Record<string, unknown>[]
  assert.equal(bodyOnce!['timeout'], '1ms')
  assert.equal(headerOnce!['request_cache'], false)
})
