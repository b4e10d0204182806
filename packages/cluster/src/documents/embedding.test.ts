import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { HAS_VECTORS, NEEDS_SCRIPTS, TEST_CLUSTER, until } from '@aisle/testing'
import { checkSchemaFields } from '@aisle/server/domain'
import type { Embedders } from '@aisle/server/ports'
import { embeddersOf, embeddingConformance, STORE, upsert, WordEmbedder } from '@aisle/server/test'
import { Leases } from '../control/leases.ts'
import { productBody } from '../opensearch/product-body.ts'
import { shapeOf } from '../stores/store-places.ts'
import { DocumentKeeper } from './document-keeper.ts'
import {
  EMBEDDING_LEASE_MS,
  openNodes,
  type ClusterNode,
  type ClusterNodes,
} from './test/cluster-nodes.ts'

const NAME = 'OpenSearch'
const FIELDS = checkSchemaFields([
  { name: 'title', type: 'string', searchable: true },
  { name: 'price', type: 'int32', facet: true, sort: true },
])

if (TEST_CLUSTER.length > 0 && HAS_VECTORS) embeddingConformance(NAME, openCatalog)

suite('Vectors that the nodes of a cluster make', NEEDS_SCRIPTS, () => {
  test('one node at a time makes them, and another one goes on when it dies', async () => {
    const [here, there] = [new WordEmbedder(), new WordEmbedder()]
    await using all = await openNodes(2, TEST_CLUSTER, undefined, (at) =>
      embeddersOf(at === 0 ? here : there),
    )
    const [one, two] = all.nodes as [ClusterNode, ClusterNode]
    // As a node that was killed: it holds the lease, and no longer renews it.
    const dead = new Leases(one.index, { nodeId: 'dead', nowMs: () => performance.now() })
    assert.ok((await dead.take('vectors words', EMBEDDING_LEASE_MS)) !== undefined)
    await prepare(one, 120)
    two.embedding.start()
    await ready(one, 120)
    assert.deepEqual([here.texts.length, there.texts.length], [0, 120])
    one.embedding.start()
    await one.writer.writeDocuments(STORE, [upsert('late', '{"title":"Late"}')])
    await ready(one, 121)
    // No text twice: one of them worked.
    assert.equal(here.texts.length + there.texts.length, 121)
    await two.embedding.close()
    await two.writer.writeDocuments(STORE, [upsert('later', '{"title":"Later"}')])
    await ready(one, 122)
    assert.equal(here.texts.at(-1), 'Later')
    assert.equal(here.texts.length + there.texts.length, 122)
  })

  test('a document without what was made of its text gets it again', async () => {
    const embedder = new WordEmbedder()
    await using all = await openNodes(1, TEST_CLUSTER, undefined, () => embeddersOf(embedder))
    const [node] = all.nodes as [ClusterNode]
    node.embedding.start()
    await prepare(node, 2)
    await ready(node, 2)
    const { requests, places } = node.documents
    const { place, schema } = places.known(STORE)!
    const [stored] = await requests.read([{ place: place!, id: 'd1', withJson: true }])
    const { id, docKey, inserted, json } = stored!
    // As a node of an older version would write it.
    const product = { id, docKey, inserted, json: json!, writtenMs: 1, values: ['Stove 1'] }
    const body = productBody(shapeOf(place!, schema!), product, 'older')
    await requests.write([{ place: place!, id, expected: stored!.version, body }])
    assert.equal((await statusOf(node))!.documentsDone, 1)
    await ready(node, 2)
    assert.equal(embedder.texts.length, 3)
  })

  test('a move to another place keeps them', async () => {
    const embedder = new WordEmbedder()
    await using all = await openNodes(1, TEST_CLUSTER, undefined, () => embeddersOf(embedder))
    const [node] = all.nodes as [ClusterNode]
    node.embedding.start()
    await prepare(node, 60)
    await ready(node, 60)
    const { documents, connection, index } = node
    const before = documents.places.known(STORE)!.place!.scope
    await node.writer.changeResources(STORE, { puts: [], removes: [] }, 'de')
    const leases = new Leases(index, { nodeId: 'keeper', nowMs: () => performance.now() })
    const onFailure = (error: unknown): void => void all.failures.push(error)
    const clock = { now: () => Date.now() }
    await new DocumentKeeper({ documents, cluster: connection, leases, clock, onFailure }).tick()
    assert.notEqual(documents.places.known(STORE)!.place!.scope, before)
    assert.equal((await statusOf(node))!.documentsDone, 60)
    assert.equal(embedder.texts.length, 60)
  })

  test('vectors that are no longer used are removed from the documents', async () => {
    const embedder = new WordEmbedder()
    await using all = await openNodes(1, TEST_CLUSTER, undefined, () => embeddersOf(embedder))
    const [node] = all.nodes as [ClusterNode]
    node.embedding.start()
    await prepare(node, 70)
    await ready(node, 70)
    await semantic(node, undefined)
    const { documents } = node
    const left = async (): Promise<number> => {
      const { place } = documents.places.known(STORE)!
      return (await documents.vectors.byVector(place!, 1, { made: true, size: 100 })).length
    }
    await until('all are removed', async () => (await left()) === 0)
    await until(
      'that is noted',
      () => documents.places.known(STORE)!.embedding!.retired.length === 0,
    )
  })
})

async function openCatalog(embedders: Embedders): Promise<ClusterNode & AsyncDisposable> {
  const all: ClusterNodes = await openNodes(1, TEST_CLUSTER, undefined, () => embedders)
  const [node] = all.nodes as [ClusterNode]
  node.embedding.start()
  return { ...node, [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() }
}

/** A store with the setting and documents. */
async function prepare(node: ClusterNode, count: number): Promise<void> {
  const { writer } = node
  await writer.createStore({ name: 'Shop', id: STORE })
  await writer.changeSchema(STORE, 'additive', FIELDS)
  const writes = Array.from({ length: count }, (_, i) =>
    upsert(`d${i}`, JSON.stringify({ title: `Stove ${i}` })),
  )
  await writer.writeDocuments(STORE, writes)
  await semantic(node, { embedder: 'words' })
}

let version = 0

async function semantic({ writer }: ClusterNode, value: object | undefined): Promise<void> {
  const name = String(++version).padStart(16, '0')
  const json = JSON.stringify({ settings: { semantic: value } })
  await writer.changeResources(STORE, { puts: [{ kind: 'settings', name, json }], removes: [] })
}

async function statusOf({ registry }: ClusterNode) {
  return (await registry.statistics(STORE)).embedding
}

function ready(node: ClusterNode, done: number): Promise<unknown> {
  return until(`${done} vectors`, async () => {
    const status = await statusOf(node)
    return status?.state === 'ready' && status.documentsDone === done
  })
}
