import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { NEEDS_CLUSTER, TEST_CLUSTER, until } from '@aisle/testing'
import { AUTHORITY, CERTIFICATE, CERTIFICATE_KEY } from './certificate-for-test.ts'
import { ClusterConnection } from './cluster-connection.ts'
import { createIndex } from './create-index.ts'

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

/** Asks a node for the state that it knows. */
const STATE_PATH =
  '/_cluster/state/version,nodes,metadata/no-index-*?local=true' +
  '&filter_path=version,nodes.*.ephemeral_id,metadata.cluster_coordination.term'

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

  test('an index is created by another node if the first has lost its manager', async () => {
    const path = '/things?wait_for_active_shards=1'
    const lost = { error: { type: 'cluster_manager_not_discovered_exception', reason: '' } }
    await using apart = await nodeThatSays({ [path]: [503, lost] })
    await using node = await nodeThatSays({ [path]: [200, {}] })
    const cluster = new ClusterConnection({ urls: [apart.url, node.url] })
    await createIndex(cluster, 'things', { settings: {}, mappings: {} })
    assert.equal(node.asked.length, 1)
    await cluster.close()
  })

  test('missing rights, a red cluster and a full one are told apart', async () => {
    const refused = { error: { type: 'security_exception', reason: 'no permissions' } }
    const block = { error: { type: 'cluster_block_exception', reason: 'read-only-allow-delete' } }
    await using node = await nodeThatSays({
      '/': about('opensearch', '3.8.0'),
      '/_cluster/health': health('red'),
      '/secret': [403, refused],
      '/login': [401, {}],
      '/full': [403, block],
      '/busy': [429, {}],
      '/wrong': [400, { error: { type: 'parsing_exception', reason: 'unknown query' } }],
    })
    const cluster = new ClusterConnection({ urls: [node.url], username: 'us', password: 'x' })
    const ask = (path: string) => cluster.request({ method: 'GET', path })
    await assert.rejects(cluster.check(), { kind: 'unfit', message: /red, 2 shards/ })
    await assert.rejects(ask('/secret'), { kind: 'unfit', status: 403, message: /no permissions/ })
    await assert.rejects(ask('/login'), {
      kind: 'unfit',
      message: /401 \(wrong user or password\)/,
    })
    await assert.rejects(ask('/full'), { kind: 'busy', message: /read-only-allow-delete/ })
    await assert.rejects(ask('/busy'), { kind: 'busy', status: 429 })
    await assert.rejects(ask('/wrong'), { kind: 'refused', type: 'parsing_exception' })
    assert.ok(node.asked.every((line) => line.startsWith('Basic dXM6eA== ')))
    await cluster.close()
  })

  test('a cluster that is red for a moment, as when an index is made, can be used', async () => {
    const answers = { '/': about('opensearch', '3.8.0'), '/_cluster/health': health('red') }
    await using node = await nodeThatSays(answers)
    const cluster = new ClusterConnection({ urls: [node.url] })
    const checked = cluster.check()
    await until('the first look', () => node.asked.includes(' /_cluster/health'))
    answers['/_cluster/health'] = health('yellow')
    assert.equal(await checked, '3.8.0')
    await cluster.close()
  })

  test('only a certificate of the configured authority is accepted', async () => {
    const server = createSecureServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (_, reply) =>
      reply.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const urls = [`https://127.0.0.1:${(server.address() as AddressInfo).port}`]
    const trusting = new ClusterConnection({ urls, caCertificate: AUTHORITY })
    assert.deepEqual(await trusting.request({ method: 'GET', path: '/' }), {})
    for (const address of [{ urls }, { urls, caCertificate: CERTIFICATE }]) {
      const other = new ClusterConnection(address)
      const asked = other.request({ method: 'GET', path: '/' })
      await assert.rejects(asked, { kind: 'unreachable', message: /certificate/ })
      await other.close()
    }
    await trusting.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
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

test('an answer that lacks a shard is asked for again, and is none if it stays so', async () => {
  let asks = 0
  const server = createServer((request, reply) => {
    const failed = request.url === '/lost' || asks++ < 2 ? 1 : 0
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify({ _shards: { failed } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const cluster = new ClusterConnection({ urls: [url] })
  const ask = (path: string, repeatable: boolean) =>
    cluster.request({
      method: 'GET',
      path,
      repeatable,
      flawOf: ({ _shards }: { _shards: { failed: number } }) =>
        _shards.failed > 0 ? 'a shard is away' : undefined,
    })
  assert.deepEqual(await ask('/', true), { _shards: { failed: 0 } })
  assert.equal(asks, 3)
  for (const repeatable of [true, false]) {
    const asked = ask('/lost', repeatable)
    await assert.rejects(asked, { kind: 'busy', message: 'GET /lost: a shard is away' })
  }
  await cluster.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('a node that is frozen, or has lost the others, keeps nobody waiting', async () => {
  await using well = await nodeThatSays({ '/': about('opensearch', '3.8.0') })
  const frozen = createServer(() => undefined)
  await new Promise<void>((resolve) => frozen.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(frozen.address() as AddressInfo).port}`
  const cluster = new ClusterConnection({ urls: [url, well.url] })
  const startMs = performance.now()
  await assert.rejects(cluster.request({ method: 'GET', path: '/' }), { kind: 'unreachable' })
  assert.ok(performance.now() - startMs < 15_000, 'the limit of a request is 30 s')
  // From now on it is left out.
  for (let i = 0; i < 4; i++) await cluster.request({ method: 'GET', path: '/' })
  await cluster.close()
  frozen.closeAllConnections()
  await new Promise((resolve) => frozen.close(resolve))
})

test('a node whose state is older than that of the others is not asked', async () => {
  const says = (version: number): Record<string, readonly [number, object]> => ({
    '/': about('opensearch', '3.8.0'),
    [STATE_PATH]: [200, { version }],
  })
  await using well = await nodeThatSays(says(8))
  const answers = says(7)
  await using late = await nodeThatSays(answers)
  const cluster = new ClusterConnection({ urls: [late.url, well.url] })
  const isAsked = async (): Promise<boolean> => {
    const before = late.asked.filter((line) => line === ' /').length
    for (let i = 0; i < 4; i++) {
      await cluster.request({ method: 'GET', path: '/', repeatable: true })
    }
    return late.asked.filter((line) => line === ' /').length > before
  }
  await until('it is left out', async () => !(await isAsked()))
  answers[STATE_PATH] = [200, { version: 8 }]
  await until('it is asked again', isAsked)
  await cluster.close()
})

test('a connection that begins does not ask a node whose state is older than that of the others', async () => {
  const says = (version: number): Record<string, readonly [number, object]> => ({
    '/': about('opensearch', '3.8.0'),
    '/_cluster/health': health('green'),
    [STATE_PATH]: [200, { version }],
  })
  await using well = await nodeThatSays(says(8))
  await using late = await nodeThatSays(says(7))
  const cluster = new ClusterConnection({ urls: [late.url, well.url] })
  await cluster.check()
  for (let i = 0; i < 4; i++) await cluster.request({ method: 'GET', path: '/', repeatable: true })
  assert.deepEqual(
    late.asked.filter((line) => line === ' /'),
    [],
  )
  await cluster.close()
})

for (const what of ['a node was lost', 'another manager was elected'] as const) {
  test(`what waits since before ${what} is given up, and what was sent after it is not`, async () => {
    const members = new Set(['a', 'b'])
    let term = 1
    const held: ServerResponse[] = []
    let looks = 0
    const server = createServer((request, reply) => {
      if (request.url === '/slow') {
        held.push(reply)
        return
      }
      const nodes = Object.fromEntries([...members].map((id) => [id, { ephemeral_id: id }]))
      const metadata = { cluster_coordination: { term } }
      if (request.url === STATE_PATH) looks++
      reply.writeHead(200, { 'content-type': 'application/json' })
      reply.end(JSON.stringify({ version: 1, nodes, metadata }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const cluster = new ClusterConnection({ urls: [url] })
    const startMs = performance.now()
    const before = cluster.request({ method: 'POST', path: '/slow' })
    await until('a look at all members', () => looks > 0)
    if (what === 'a node was lost') members.delete('b')
    else term++
    const looksBefore = looks
    await until('looks at those that are left', () => looks > looksBefore + 1)
    const after = cluster.request({ method: 'POST', path: '/slow' })
    await assert.rejects(before, { kind: 'unreachable' })
    assert.ok(performance.now() - startMs < 15_000, 'the limit of a request is 30 s')
    await until('both were sent', () => held.length === 2)
    held[1]!.writeHead(200, { 'content-type': 'application/json' }).end('{"done":true}')
    assert.deepEqual(await after, { done: true })
    await cluster.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
}

suite('The connection to a real cluster', NEEDS_CLUSTER, () => {
  test('it says its version', async () => {
    const cluster = new ClusterConnection({ urls: TEST_CLUSTER })
    assert.match(await cluster.check(), /^[23]\.\d+\.\d+$/)
    await cluster.close()
  })
})
