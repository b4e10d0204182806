import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import type { Field } from '@aisle/engine'
import { until } from '@aisle/testing'
import { embeddersOf, WordEmbedder } from '../../ports/search/word-embedder-for-test.ts'
import type { EmbeddingStatus } from '../../ports/catalog/store-registry.ts'
import { Harness } from './test/harness.ts'

const FIELDS: Field[] = [
  { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
  { name: 'category', type: 'string[]', searchable: true, facet: true, sort: false },
  { name: 'price', type: 'int32', searchable: false, facet: true, sort: true },
]

async function start(embedders = embeddersOf(new WordEmbedder())): Promise<Harness> {
  const harness = new Harness()
  harness.embedders = embedders
  await harness.open()
  await harness.writer.createStore({ name: 'Shop', id: 'shop' })
  await harness.writer.changeSchema('shop', 'additive', FIELDS)
  return harness
}

let version = 0

async function set(harness: Harness, semantic: object | undefined, id = 'shop'): Promise<void> {
  const name = String(++version).padStart(16, '0')
  const json = JSON.stringify({ settings: { semantic } })
  await harness.writer.changeResources(id, {
    puts: [{ kind: 'settings', name, json }],
    removes: [],
  })
}

const put = (harness: Harness, documents: Record<string, object>, id = 'shop') =>
  harness.writer.writeDocuments(
    id,
    Object.entries(documents).map(([name, data]) => ({
      id: name,
      action: 'upsert' as const,
      json: Buffer.from(JSON.stringify(data)),
    })),
  )

const statusOf = (harness: Harness, id = 'shop'): EmbeddingStatus | undefined =>
  harness.replicas[0]!.store(id)!.statistics.embedding

const ready = (harness: Harness, done: number, id = 'shop') =>
  until(`${done} vectors`, () => {
    const status = statusOf(harness, id)
    return status?.state === 'ready' && status.documentsDone === done && !status.replaces
  })

const rowOf = (harness: Harness) =>
  harness.documents.stores().find((row) => row.storeId === 'shop')!

/** Space by space: the ids of the documents that have a vector on disk. */
const onDisk = (harness: Harness, ids: readonly string[]) =>
  [1, 2, 3].map((space) =>
    ids.filter((id) => harness.documents.vector(rowOf(harness).catalog, space, id) !== undefined),
  )

suite('vectors of documents, made in the background', () => {
  test('another model or other fields are embedded beside, and take over in one moment', async () => {
    const [one, other] = [new WordEmbedder(), new WordEmbedder({ name: 'other', dimensions: 64 })]
    await using harness = await start(embeddersOf(one, other))
    await put(harness, { a: { title: 'Stove', category: ['Gas'] }, b: { title: 'Tent' } })
    await set(harness, { embedder: 'words' })
    await ready(harness, 2)
    const gate = Promise.withResolvers<void>()
    other.gate = gate.promise
    await set(harness, { embedder: 'other' })
    await until('the next vectors are begun', () => statusOf(harness)?.replaces === 'words')
    const spaces = () =>
      rowOf(harness).schema!.spaces!.map(({ number, embedder }) => [number, embedder])
    assert.deepEqual(spaces(), [
      [1, 'words'],
      [2, 'other'],
    ])
    // The serving vectors are complete meanwhile, also of what is edited.
    await put(harness, { b: { title: 'Tent', price: 3 } })
    assert.equal(harness.host.opened.get(rowOf(harness).index)!.vectorCount(1), 2)
    gate.resolve()
    await ready(harness, 2)
    assert.deepEqual(spaces(), [[2, 'other']])
    await until('old vectors are removed', () => rowOf(harness).embedding!.retired.length === 0)
    assert.deepEqual(onDisk(harness, ['a', 'b']), [[], ['a', 'b'], []])
    await set(harness, { embedder: 'other', fields: ['title'] })
    await until('only titles', () => String(spaces()) === '3,other')
    assert.deepEqual(other.texts.slice(-2).toSorted(), ['Stove', 'Tent'])
  })

  test('without the setting, all vectors are removed', async () => {
    await using harness = await start()
    await put(harness, { a: { title: 'Stove' }, b: { title: 'Tent' } })
    await set(harness, { embedder: 'words' })
    await ready(harness, 2)
    assert.deepEqual(onDisk(harness, ['a', 'b']), [['a', 'b'], [], []])
    await harness.writer.deleteDocument('shop', 'a')
    assert.deepEqual(onDisk(harness, ['a', 'b']), [['b'], [], []])
    await set(harness, undefined)
    await until('no vectors', () => rowOf(harness).schema!.spaces === undefined)
    await until('vectors are removed', () => rowOf(harness).embedding?.retired.length === 0)
    assert.deepEqual(onDisk(harness, ['a', 'b']), [[], [], []])
    assert.equal(statusOf(harness), undefined)
  })

  test('after a restart it goes on where it was, and a rebuilt index has the vectors', async () => {
    const embedder = new WordEmbedder()
    await using harness = await start(embeddersOf(embedder))
    const titles = Array.from({ length: 150 }, (_, i) => [
      `d${i}`,
      { title: `Stove number ${'x'.repeat(i)}` },
    ])
    await put(harness, Object.fromEntries(titles))
    await set(harness, { embedder: 'words' })
    await until('some have a vector', () => (statusOf(harness)?.documentsDone ?? 0) > 0)
    embedder.isDown = true
    await harness.close()
    await harness.open()
    const before = embedder.texts.length
    assert.ok(before < 150, `${before} texts before the restart`)
    // The files of this index hold nothing: all comes from the documents and their vectors.
    assert.equal(statusOf(harness)!.documentsDone, before)
    embedder.isDown = false
    await ready(harness, 150)
    assert.equal(embedder.texts.length, 150)
    await harness.close()
    await harness.open()
    await ready(harness, 150)
    assert.equal(embedder.texts.length, 150)
  })

  test('another model under the same name is noticed at the start', async () => {
    await using harness = await start()
    await put(harness, { a: { title: 'Stove' } })
    await set(harness, { embedder: 'words' })
    await ready(harness, 1)
    const newer = new WordEmbedder({ fingerprint: 'newer' })
    harness.embedders = embeddersOf(newer)
    await harness.close()
    await harness.open()
    await until('the newer model is asked', () => newer.texts.length === 1)
    await ready(harness, 1)
    assert.equal(rowOf(harness).schema!.spaces![0]!.fingerprint, 'newer')
  })
})
