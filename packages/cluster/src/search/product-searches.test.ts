import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { ClusterError } from '../opensearch/cluster-error.ts'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
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

suite('a search that fails on the cluster', () => {
  /** Answers one search like this, and the next ones well. */
  async function askedAfter(answer: object): Promise<{ count: number; error: unknown }> {
    let count = 0
    const server = createServer((request, reply) => {
      const isSearch = request.url === '/_msearch'
      if (isSearch) count++
      const body = isSearch ? { responses: [WELL, count === 1 ? answer : WELL] } : {}
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const cluster = new ClusterConnection({ urls: [`http://127.0.0.1:${port}`] })
    try {
      const place = { index: 'pool', routing: 'shop' } as never
      await searchProducts(cluster, place, [{}, {}], { deadlineMs: undefined })
      return { count, error: undefined }
    } catch (error) {
      return { count, error }
    } finally {
      await cluster.close()
      server.closeAllConnections()
      server.close()
    }
  }

  const full = { ...onAll('circuit_breaking_exception'), status: 429 }
  const none = { status: 503, error: { type: 'search_phase_execution_exception', root_cause: [] } }
  const away = { ...onAll('no_shard_available_action_exception'), status: 503 }
  for (const [name, answer] of [
    ['no memory on any node', full],
    ['no memory on one', onOne('circuit_breaking_exception')],
    ['no copy of a shard', away],
    ['no copy of any shard', none],
    ['a copy on a node that has gone', onOne('node_not_connected_exception')],
  ] as const) {
    test(`is repeated when that soon passes: ${name}`, async () => {
      assert.deepEqual(await askedAfter(answer), { count: 2, error: undefined })
    })
  }

  test('is an error at once under overload, or if the search itself is at fault', async () => {
    const rejected = { ...onAll('rejected_execution_exception'), status: 429 }
    for (const answer of [rejected, { ...onAll('too_many_clauses'), status: 400 }]) {
      const { count, error } = await askedAfter(answer)
      assert.equal(count, 1)
      assert.ok(error instanceof ClusterError)
      // The log of the service says this.
      assert.match(error.code, /^busy 429 rejected_execution|^refused 400 too_many_clauses$/)
    }
  })
})

test('a search that comes again looks the same, whatever time is left', async () => {
  const asked: unknown[][] = []
  const request = async ({ lines }: { lines: unknown[] }): Promise<unknown> => {
    asked.push(lines)
    return { responses: lines.filter((_, at) => at % 2 === 1).map(() => WELL) }
  }
  const cluster = { request } as unknown as ClusterConnection
  const send = (leftMs: number, bodies: object[] = [{}]) =>
    searchProducts(cluster, { index: 'pool', routing: 'shop' } as never, bodies, {
      deadlineMs: performance.now() + leftMs,
    })
  await send(2_000)
  await send(1_960)
  assert.deepEqual(asked[0], asked[1])
  await send(-5)
  const timeouts = [asked[0]!, asked[2]!].map(([, body]) => (body as Header)['timeout'])
  assert.deepEqual(timeouts, ['2048ms', '1ms'])
  await send(2_000, [{ size: 200 }, { size: 0 }, { size: 200, aggs: {} }])
  const headers = asked[3]!.filter((_, at) => at % 2 === 0) as Header[]
  assert.deepEqual(
    headers.map((header) => header['request_cache']),
    [false, true, true],
    'shards cache counts and facets, not hits',
  )
})

type Header = Readonly<Record<string, unknown>>
