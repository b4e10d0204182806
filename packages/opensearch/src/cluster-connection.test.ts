import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { NEEDS_CLUSTER, TEST_CLUSTER } from '@aisle/testing'
import { ClusterConnection } from './cluster-connection.ts'

/** A node that answers each path with this status and body. */
async function nodeThatSays(
  answers: Readonly<Record<string, readonly [status: number, body: object]>>,
): Promise<{ readonly url: string; readonly asked: string[] } & AsyncDisposable> {
  const asked: string[] = []
  const server = createServer((request, reply) => {
    asked.push(`${request.headers.authorization ?? ''} ${request.url}`)
    const [status, body] = answers[request.url ?? ''] ?? [404, {}]
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const about = (distribution: string, number: string): readonly [number, object] => [
  200,
  { version: { distribution, number } },
]
const health = (status: string): readonly [number, object] => [
  200,
  { status, unassigned_shards: 2 },
]

suite('The connection to a cluster', () => {
  test('only releases that are tested are taken, and the refusal says which those are', async () => {
    for (const [distribution, number, fits] of [
      ['opensearch', '2.19.1', true],
      ['opensearch', '3.8.0', true],
      ['opensearch', '2.18.0', false],
      ['opensearch', '1.3.0', false],
      ['opensearch', '4.0.0', false],
      [undefined, '8.1.0', false],
    ] as const) {
      await using node = await nodeThatSays({
        '/': about(distribution!, number),
        '/_cluster/health': health('green'),
      })
      const cluster = new ClusterConnection({ urls: [node.url] })
      const checked = cluster.check()
      if (fits) assert.equal(await checked, number)
      else
        await assert.rejects(checked, { kind: 'unfit', message: /OpenSearch 2\.19 or 3 is needed/ })
      await cluster.close()
    }
  })

  test('missing rights, a red cluster and a full one are told apart', async () => {
    const refused = { error: { type: 'security_exception', reason: 'no permissions' } }
    const block = { error: { type: 'cluster_block_exception', reason: 'read-only-allow-delete' } }
    await using node = await nodeThatSays({
      '/': about('opensearch', '3.8.0'),
      '/_cluster/health': health('red'),
      '/secret': [403, refused],
      '/full': [403, block],
      '/busy': [429, {}],
      '/wrong': [400, { error: { type: 'parsing_exception', reason: 'unknown query' } }],
    })
    const cluster = new ClusterConnection({ urls: [node.url], username: 'us', password: 'x' })
    const ask = (path: string) => cluster.request({ method: 'GET', path })
    await assert.rejects(cluster.check(), { kind: 'unfit', message: /red, 2 shards/ })
    await assert.rejects(ask('/secret'), { kind: 'unfit', status: 403, message: /no permissions/ })
    await assert.rejects(ask('/full'), { kind: 'busy', message: /read-only-allow-delete/ })
    await assert.rejects(ask('/busy'), { kind: 'busy', status: 429 })
    await assert.rejects(ask('/wrong'), { kind: 'refused', type: 'parsing_exception' })
    assert.ok(node.asked.every((line) => line.startsWith('Basic dXM6eA== ')))
    await cluster.close()
  })

  test('a node that is not there is left for another one, when the request may be repeated', async () => {
    await using node = await nodeThatSays({ '/': about('opensearch', '3.8.0') })
    const cluster = new ClusterConnection({ urls: ['http://127.0.0.1:1', node.url] })
    for (let i = 0; i < 4; i++) {
      await cluster.request({ method: 'GET', path: '/', repeatable: true })
    }
    await cluster.close()
    const alone = new ClusterConnection({ urls: ['http://127.0.0.1:1'] })
    await assert.rejects(alone.request({ method: 'GET', path: '/' }), { kind: 'unreachable' })
    await alone.close()
  })
})

suite('The connection to a real cluster', NEEDS_CLUSTER, () => {
  test('it says its version', async () => {
    const cluster = new ClusterConnection({ urls: TEST_CLUSTER })
    assert.match(await cluster.check(), /^[23]\.\d+\.\d+$/)
    await cluster.close()
  })
})
