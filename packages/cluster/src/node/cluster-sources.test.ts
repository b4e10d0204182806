import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import {
  NEEDS_CLUSTER,
  ServerProcess,
  TEST_CLUSTER,
  ThinClient,
  until,
  writeHeaders,
  type StoreKeys,
} from '@aisle/testing'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'

const PRODUCTS = 2_500
/** A node that falls silent is taken over after 15 s. */
const TAKEN_OVER_MS_MAX = 120_000

interface Run {
  readonly id: string
  readonly state: string
  readonly error?: string
  readonly unchanged: number
  readonly missing: number
}

suite('Sources on a cluster', NEEDS_CLUSTER, () => {
  test('a run whose node is killed is finished by the other one', async () => {
    await using feed = await serveFeed(PRODUCTS)
    const cluster = new ClusterConnection({ urls: TEST_CLUSTER })
    const prefix = `sources-${randomBytes(8).toString('hex')}`
    const environment = {
      AISLE_OPENSEARCH_URL: TEST_CLUSTER.join(','),
      AISLE_OPENSEARCH_PREFIX: prefix,
      AISLE_SOURCE_NETWORKS: '127.0.0.1',
    }
    const start = (): Promise<ServerProcess> => ServerProcess.start({ threads: 1, environment })
    const [first, second] = [await start(), await start()]
    try {
      const client = new ThinClient(first.url, { adminToken: first.adminToken })
      const keys = await client.createStore({ name: 'Shop', id: 'shop' })
      await client.setSchema(keys, {
        fields: [{ name: 'title', type: 'string', searchable: true }],
      })
      const at = caller(keys)
      await at(first, 'PUT', '', {
        connection: { kind: 'feed', url: feed.url, format: 'ndjson' },
        deletions: 'remove_missing',
      })
      const { id } = await at<Run>(first, 'POST', '/runs', {})
      const other = new ThinClient(second.url, { adminToken: second.adminToken })
      const found = async (): Promise<number> => (await other.search(keys, { q: '*' })).found
      // The other node learns of the store soon after it was created.
      await until('the run writes', () =>
        found().then(
          (count) => count > 0,
          () => false,
        ),
      )
      await first.kill()
      client.close()

      const ended = (run: string): Promise<Run> =>
        until(
          'the end of the run',
          async () => {
            const detail = await at<{ run: Run }>(second, 'GET', `/runs/${run}`)
            return detail.run.state !== 'running' && detail.run
          },
          { timeoutMs: TAKEN_OVER_MS_MAX },
        )
      const run = await ended(id)
      assert.equal(run.state, 'done', run.error ?? '')
      await until('all products are found', async () => (await found()) === PRODUCTS)
      const again = await ended((await at<Run>(second, 'POST', '/runs', { full: false })).id)
      assert.deepEqual([again.state, again.missing], ['done', 0])
      assert.equal((await at<{ documents: number }>(second, 'GET', '')).documents, PRODUCTS)
      other.close()
    } finally {
      await first.stop()
      await second.stop()
      await cluster.request({ method: 'DELETE', path: `/${prefix}-*` })
      await cluster.close()
    }
  })
})

/** A request for the source, to either node. */
function caller(keys: StoreKeys) {
  return async <Answer>(
    { url }: ServerProcess,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer> => {
    const response = await fetch(`${url}/api/v1/stores/shop/sources/feed${path}`, {
      method,
      headers: {
        ...writeHeaders(keys),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Answer
  }
}

async function serveFeed(count: number) {
  const text = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ id: `p${i}`, title: `tent ${i} ${'canvas '.repeat(40)}` }),
  ).join('\n')
  const server = createServer((_, response) => response.end(text))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
