import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { memoryFolder, until } from '@aisle/testing'
import { EmbedderClient } from '../adapters/embedders/embedder-client.ts'
import { endpointConfig, tableConfig } from '../adapters/embedders/test/fixture-configs.ts'
import { openFixtureEndpoint } from '../adapters/embedders/test/fixture-endpoint.ts'
import { infoOf, type EmbedderConfig } from '../ports/search/embedder-config.ts'
import { EmbeddingHost } from './hosted-threads.ts'

const NEVER = new AbortController().signal

function openHost(embedders: readonly EmbedderConfig[]) {
  const notes: string[] = []
  const results: string[] = []
  const client = new EmbedderClient(embedders.map(infoOf), (name, result) =>
    results.push(`${name} ${result}`),
  )
  const host = new EmbeddingHost({
    embedders,
    log: (level, message) => notes.push(`${level} ${message}`),
    onReplaced: () => client.connect(host.connect()),
  })
  const port = host.connectIfNeeded()
  if (port !== undefined) client.connect(port)
  return { host, client, notes, results, [Symbol.asyncDispose]: () => host.close() }
}

test('threads reach the embedders of the installation, within a budget', async () => {
  const folder = memoryFolder('aisle-embedders-')
  await using endpoint = await openFixtureEndpoint()
  const configs = [tableConfig(folder), endpointConfig(endpoint.url)]
  await using opened = openHost(configs)
  const { client, host, results } = opened
  assert.deepEqual(client.names(), ['table', 'endpoint'])
  const table = client.get('table')!
  const [first, none] = await table.embed(['gas stove', 'unknown'], 'document', NEVER)
  assert.ok(first instanceof Float32Array && first.length === table.dimensions)
  assert.equal(none, undefined)

  const ask = (embedder: string, text: string, budgetMs = 10_000) =>
    client.ask({ storeId: 'shop', embedder, text, budgetMs })
  assert.equal(client.cached('table', 'gas'), undefined)
  const answer = await ask('table', 'gas')
  assert.equal(answer.kind, 'vector')
  assert.ok(client.cached('table', 'gas'))
  assert.ok(client.cacheBytes > 0)
  await ask('table', 'gas')
  assert.deepEqual(await ask('table', 'unknown'), { kind: 'skipped', reason: 'refused' })
  assert.deepEqual(await ask('nobody', 'gas'), { kind: 'skipped', reason: 'unknown' })

  // The endpoint holds this request back until the test says so.
  const held = Promise.withResolvers<() => void>()
  endpoint.next.push((request, response) => {
    const body = JSON.stringify({ data: [{ embedding: [1, 0, 0, 0, 0, 0, 0, 0] }] })
    held.resolve(() => response.end(body))
    assert.equal(request.body.input[0], 'lamp')
  })
  assert.deepEqual(await ask('endpoint', 'lamp', 30), { kind: 'skipped', reason: 'slow' })
  const release = await held.promise
  release()
  await until('the late vector', () => client.cached('endpoint', 'lamp') !== undefined)
  assert.deepEqual(results, [
    'table embedded',
    'table cached',
    'table refused',
    ' unknown',
    'endpoint slow',
  ])
  const figures = await host.figures()
  assert.deepEqual(
    figures.map(({ name, texts, refusedTexts }) => [name, texts, refusedTexts]),
    [
      ['table', 4, 2],
      ['endpoint', 1, 0],
    ],
  )
  rmSync(folder, { recursive: true })
})

test('an embedder that is down is told, and aborted calls are given up', async () => {
  await using endpoint = await openFixtureEndpoint()
  await using opened = openHost([endpointConfig(endpoint.url)])
  const { client } = opened
  const embedder = client.get('endpoint')!
  endpoint.next.push((_, response) => response.writeHead(404).end())
  await assert.rejects(embedder.embed(['gas'], 'document', NEVER), {
    name: 'EmbedderUnavailable',
    message: /answered 404/,
  })
  const received = Promise.withResolvers<{ readonly closed: Promise<unknown> }>()
  endpoint.next.push((_, response) => {
    received.resolve({ closed: new Promise((resolve) => response.once('close', resolve)) })
  })
  const abort = new AbortController()
  const call = embedder.embed(['gas'], 'document', abort.signal)
  const { closed } = await received.promise
  abort.abort(new Error('abandoned'))
  await assert.rejects(call, /abandoned/)
  // The request to the endpoint is given up as well.
  await closed
})

test('without embedders there is no thread', async () => {
  await using opened = openHost([])
  const { host, client } = opened
  assert.equal(host.connectIfNeeded(), undefined)
  assert.deepEqual(host.threads, [])
  assert.deepEqual(await host.figures(), [])
  assert.equal((await client.ask({ storeId: 's', embedder: 'x', text: 'gas' })).kind, 'skipped')
})
