import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { queryVector, spaceField } from '@aisle/engine'
import { EMPTY_PLAN, until } from '@aisle/testing'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { idsOfHits, STORE, upsert, type CatalogPorts } from '../catalog/catalog-fixture.ts'
import type { EmbeddingStatus } from '../catalog/store-registry.ts'
import type { Embedders } from './embedder.ts'
import { embeddersOf, WordEmbedder } from './word-embedder-for-test.ts'

/** An adapter under test with these embedders, created empty and removed when disposed. */
export type CreateEmbeddingCatalog = (
  embedders: Embedders,
) => Promise<CatalogPorts & AsyncDisposable>

const OTHER = 'other'
const FIELDS = checkSchemaFields([
  { name: 'title', type: 'string', searchable: true },
  { name: 'category', type: 'string[]', searchable: true, facet: true },
  { name: 'price', type: 'int32', facet: true, sort: true },
])

/** Tests the vectors that a catalog has made of its documents, in the background. */
export function embeddingConformance(name: string, create: CreateEmbeddingCatalog): void {
  const start = async (embedders: Embedders): Promise<CatalogPorts & AsyncDisposable> => {
    const catalog = await create(embedders)
    await addStore(catalog, STORE)
    return catalog
  }

  suite(`${name} makes vectors of documents`, () => {
    test('what is stored gets vectors, and what is written later too', async () => {
      const embedder = new WordEmbedder()
      await using catalog = await start(embeddersOf(embedder))
      const category = ['Camping', 'Camping > Stoves', 'Camping > Stoves > Gas']
      await put(catalog, { a: { title: 'Stove', category, price: 1 }, b: { title: 'Tent' } })
      assert.equal(await statusOf(catalog), undefined)
      await set(catalog, { embedder: 'words' })
      await ready(catalog, 2)
      assert.deepEqual(embedder.texts.toSorted(), ['Stove. Gas', 'Tent'])
      await put(catalog, { c: { title: 'Lamp' } })
      await ready(catalog, 3)
      assert.deepEqual(embedder.texts.slice(2), ['Lamp'])
      assert.equal(await catalog.backend.view(STORE)!.docCount(), 3)
    })

    test('searches compare them as the model does', async () => {
      const embedder = new WordEmbedder()
      await using catalog = await start(embeddersOf(embedder))
      const titles = ['gas stove', 'gas lamp', 'red lamp', 'tent', 'small tent', 'map of gas']
      await put(catalog, Object.fromEntries(titles.map((title, i) => [`d${i}`, { title }])))
      await set(catalog, { embedder: 'words' })
      await ready(catalog, titles.length)
      for (const query of ['gas', 'lamp', 'small red tent']) {
        const vector = embedder.vectorOf(query)!
        const near = titles.map((title, i) => ({
          id: `d${i}`,
          similarity: dot(embedder.vectorOf(title)!, vector),
        }))
        const order = near.toSorted((a, b) => b.similarity - a.similarity).map(({ id }) => id)
        assert.deepEqual(await nearest(catalog, vector), order, query)
      }
    })

    test('an edit of the price embeds nothing and keeps the vector', async () => {
      const embedder = new WordEmbedder()
      await using catalog = await start(embeddersOf(embedder))
      await set(catalog, { embedder: 'words' })
      await put(catalog, { a: { title: 'Stove', price: 1 } })
      await ready(catalog, 1)
      const lastWrite = (await catalog.registry.statistics(STORE)).lastWriteAt
      await put(catalog, { a: { title: 'Stove', price: 2 } })
      // At once: it was never without its vector.
      assert.equal((await statusOf(catalog))!.documentsDone, 1)
      await ready(catalog, 1)
      await put(catalog, { a: { title: 'Gas stove', price: 2 } })
      await ready(catalog, 1)
      assert.deepEqual(embedder.texts, ['Stove', 'Gas stove'])
      assert.ok(lastWrite! <= (await catalog.registry.statistics(STORE)).lastWriteAt!)
    })

    test('a vector is not a write, and changes neither document nor order', async () => {
      const embedder = new WordEmbedder()
      await using catalog = await start(embeddersOf(embedder))
      await put(catalog, { a: { title: 'Stove' }, b: { title: 'Tent' } })
      const before = (await catalog.registry.statistics(STORE)).lastWriteAt
      const document = (await catalog.reader.get(STORE, 'a'))!
      await set(catalog, { embedder: 'words' })
      await ready(catalog, 2)
      assert.equal((await catalog.registry.statistics(STORE)).lastWriteAt, before)
      const after = (await catalog.reader.get(STORE, 'a'))!
      assert.deepEqual(Buffer.from(after.json), Buffer.from(document.json))
      assert.equal(after.inserted, document.inserted ?? document.docKey)
      const view = catalog.backend.view(STORE)!
      const { hits } = await view.search({ ...EMPTY_PLAN, ...planParts() })
      assert.deepEqual(await idsOfHits(catalog, hits), ['b', 'a'])
    })

    test('documents without text, and texts that the model refuses, have no vector', async () => {
      const embedder = new WordEmbedder()
      embedder.refused = 'nonsense'
      await using catalog = await start(embeddersOf(embedder))
      await set(catalog, { embedder: 'words' })
      await put(catalog, { a: { price: 1 }, b: { title: 'nonsense' }, c: { title: 'Tent' } })
      await ready(catalog, 1)
      assert.deepEqual(embedder.texts.toSorted(), ['Tent', 'nonsense'])
    })

    test('while the embedder is down, everything else works, and then it goes on', async () => {
      const embedder = new WordEmbedder()
      embedder.isDown = true
      await using catalog = await start(embeddersOf(embedder))
      await set(catalog, { embedder: 'words' })
      await put(catalog, { a: { title: 'Stove' } })
      await until('it waits', async () => (await statusOf(catalog))?.state === 'waiting')
      assert.equal((await statusOf(catalog))!.problem, 'The model is down')
      assert.equal(await catalog.backend.view(STORE)!.docCount(), 1)
      embedder.isDown = false
      await ready(catalog, 1)
      assert.equal((await statusOf(catalog))!.problem, undefined)
    })

    test('another model or other fields are embedded beside, and take over in one moment', async () => {
      const one = new WordEmbedder()
      const other = new WordEmbedder({ name: 'other', dimensions: 64 })
      await using catalog = await start(embeddersOf(one, other))
      await put(catalog, { a: { title: 'Stove', category: ['Gas'] }, b: { title: 'Tent' } })
      await set(catalog, { embedder: 'words' })
      await ready(catalog, 2)
      const gate = Promise.withResolvers<void>()
      other.gate = gate.promise
      await set(catalog, { embedder: 'other' })
      await until('the next are begun', async () => (await statusOf(catalog))?.replaces === 'words')
      assert.equal(spacesOf(catalog), '1 words, 2 other')
      // The serving ones are complete meanwhile, also of what is edited.
      await put(catalog, { b: { title: 'Tent', price: 3 } })
      assert.deepEqual(await nearest(catalog, one.vectorOf('tent')!), ['b', 'a'])
      gate.resolve()
      await ready(catalog, 2)
      await until('they serve', () => spacesOf(catalog) === '2 other')
      assert.deepEqual(await nearest(catalog, other.vectorOf('tent')!), ['b', 'a'])
      await set(catalog, { embedder: 'other', fields: ['title'] })
      await until('only titles', () => spacesOf(catalog) === '3 other')
      assert.deepEqual(other.texts.slice(-2).toSorted(), ['Stove', 'Tent'])
    })

    test('without the setting, there are no vectors; with it, they come back', async () => {
      const embedder = new WordEmbedder()
      await using catalog = await start(embeddersOf(embedder))
      await put(catalog, { a: { title: 'Stove' }, b: { title: 'Tent' } })
      await set(catalog, { embedder: 'words' })
      await ready(catalog, 2)
      await set(catalog, undefined)
      await until('no vectors', () => spacesOf(catalog) === '')
      assert.equal(await statusOf(catalog), undefined)
      await set(catalog, { embedder: 'words' })
      await ready(catalog, 2)
      // On a cluster, a vector whose document loses the old one at that moment is made twice.
      assert.ok(embedder.texts.length >= 4, String(embedder.texts.length))
      assert.equal(spacesOf(catalog), '2 words')
    })

    test('a store with many documents does not keep another one waiting', async () => {
      await using catalog = await start(embeddersOf(new WordEmbedder()))
      await addStore(catalog, OTHER)
      const many = Array.from({ length: 1_000 }, (_, i) => [`d${i}`, { title: 'Stove' }])
      await put(catalog, Object.fromEntries(many))
      await put(catalog, { a: { title: 'Tent' } }, OTHER)
      await set(catalog, { embedder: 'words' })
      await set(catalog, { embedder: 'words' }, OTHER)
      await ready(catalog, 1, OTHER)
      await ready(catalog, 1_000)
    })

    test('documents that are replaced or cleared while their text is with the model', async () => {
      const embedder = new WordEmbedder()
      await using catalog = await start(embeddersOf(embedder))
      await set(catalog, { embedder: 'words' })
      const gate = Promise.withResolvers<void>()
      embedder.gate = gate.promise
      await put(catalog, { a: { title: 'Stove' }, b: { title: 'Tent' }, c: { title: 'Lamp' } })
      await until('it runs', async () => (await statusOf(catalog))?.state === 'running')
      await put(catalog, { a: { title: 'Knife' } })
      await catalog.writer.deleteDocument(STORE, 'b')
      gate.resolve()
      await ready(catalog, 2)
      assert.equal(embedder.texts.at(-1), 'Knife')
      assert.deepEqual(await nearest(catalog, embedder.vectorOf('knife')!), ['a', 'c'])
      await catalog.writer.clearDocuments(STORE)
      await put(catalog, { a: { title: 'Knife' } })
      await ready(catalog, 1)
    })

    test('swapped stores swap their vectors and their setting', async () => {
      await using catalog = await start(embeddersOf(new WordEmbedder()))
      await addStore(catalog, OTHER)
      await put(catalog, { a: { title: 'Stove' } })
      await set(catalog, { embedder: 'words' })
      await ready(catalog, 1)
      await catalog.writer.swapStores(STORE, OTHER)
      await until('the swap', async () => (await statusOf(catalog)) === undefined)
      await put(catalog, { b: { title: 'Tent' } }, OTHER)
      await ready(catalog, 2, OTHER)
    })
  })
}

let version = 0

async function addStore({ writer }: CatalogPorts, storeId: string): Promise<void> {
  await writer.createStore({ name: storeId, id: storeId })
  await writer.changeSchema(storeId, 'additive', FIELDS)
}

/** @param semantic undefined: the store has no such setting */
async function set(
  { writer }: Pick<CatalogPorts, 'writer'>,
  semantic: object | undefined,
  storeId = STORE,
): Promise<void> {
  const name = String(++version).padStart(16, '0')
  const json = JSON.stringify({ settings: { semantic } })
  await writer.changeResources(storeId, { puts: [{ kind: 'settings', name, json }], removes: [] })
}

async function put(
  { writer }: CatalogPorts,
  documents: Record<string, object>,
  storeId = STORE,
): Promise<void> {
  const writes = Object.entries(documents).map(([id, data]) => upsert(id, JSON.stringify(data)))
  for (const { status } of await writer.writeDocuments(storeId, writes)) {
    assert.notEqual(status, 'failed')
  }
}

async function statusOf(
  { registry }: CatalogPorts,
  storeId = STORE,
): Promise<EmbeddingStatus | undefined> {
  return (await registry.statistics(storeId)).embedding
}

/** When all documents were read, and this many have a vector. */
function ready(catalog: CatalogPorts, done: number, storeId = STORE): Promise<unknown> {
  return until(`${done} vectors`, async () => {
    const status = await statusOf(catalog, storeId)
    return status?.state === 'ready' && status.documentsDone === done && !status.replaces
  })
}

function spacesOf({ backend }: CatalogPorts): string {
  const spaces = backend.view(STORE)!.schema?.spaces ?? []
  return spaces.map(({ number, embedder }) => `${number} ${embedder}`).join(', ')
}

function planParts() {
  return { fieldWeights: FIELDS.map(() => 0), lengthNorms: FIELDS.map(() => 0.5), size: 50 }
}

/** The ids of all documents, the nearest first. */
async function nearest(catalog: CatalogPorts, values: Float32Array): Promise<string[]> {
  const view = catalog.backend.view(STORE)!
  const field = spaceField(view.schema!.spaces![0]!)
  const vector = queryVector(values, 'cosine')
  const { hits } = await view.search({
    ...EMPTY_PLAN,
    ...planParts(),
    sort: [{ kind: 'similarity', field, vector, descending: true }],
  })
  return idsOfHits(catalog, hits)
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}
