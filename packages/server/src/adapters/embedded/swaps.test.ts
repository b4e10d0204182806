import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { suite, test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { until } from '@aisle/testing'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { STORE, upsert } from '../../ports/catalog/catalog-fixture.ts'
import { createGeneration } from './generation.ts'
import { Publisher } from './publisher.ts'
import { Replica } from './replica.ts'
import { createSearcher } from './lazy-searcher.ts'
import { openEmbeddedCatalog } from './test/embedded-catalog.ts'
import type { EmbeddedCatalog } from './test/embedded-catalog.ts'

const OTHER = 'next'
const FIELDS = checkSchemaFields([{ name: 'title', type: 'string', searchable: true }])

suite('Swaps of stores in one process', () => {
  test('are there after a restart and after a crash, with indexes that were closed', async () => {
    let catalog = await two()
    const { folder } = catalog
    try {
      for (const end of ['kill', 'close'] as const) {
        const before = await titlesOf(catalog)
        await catalog.writer.swapStores(STORE, OTHER)
        assert.deepEqual(await titlesOf(catalog), before.toReversed())
        await catalog[end]()
        catalog = await openEmbeddedCatalog(folder)
        assert.deepEqual(await titlesOf(catalog), before.toReversed())
        const presets = [STORE, OTHER].map((id) => catalog.resources.of(id).list('preset').length)
        assert.deepEqual(presets, before[0]!.includes('next 0') ? [0, 1] : [1, 0])
        assert.deepEqual(catalog.log, [])
        // Closed, as they were opened: nobody has searched them since.
        await catalog.close()
        catalog = await openEmbeddedCatalog(folder)
        await catalog.writer.swapStores(OTHER, STORE)
        await catalog.writer.swapStores(OTHER, STORE)
        await catalog.writer.writeDocuments(STORE, [upsert(end, `{"title":"${end}"}`)])
        await catalog.writer.deleteDocument(STORE, end)
      }
    } finally {
      await catalog.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('take a change of language in progress along', async () => {
    await using catalog = await openEmbeddedCatalog(undefined, { reanalysisDocuments: 5 })
    const { writer, registry } = catalog
    await fill(catalog, STORE, 'shoes', 400)
    await fill(catalog, OTHER, 'next', 3)
    await writer.changeResources(STORE, { puts: [], removes: [] }, 'de')
    await writer.swapStores(STORE, OTHER)
    const language = async (id: string) => (await registry.statistics(id)).language
    await until('the language', async () => (await language(OTHER)) === 'de')
    assert.equal(await language(STORE), 'en')
    assert.deepEqual(
      (await titlesOf(catalog)).map(({ length }) => length),
      [3, 400],
    )
    assert.deepEqual(catalog.log, [])
  })

  test('are known to a thread that starts later as to the others', () => {
    const publisher = new Publisher(createGeneration())
    const replicas = [replicaOf(publisher)]
    for (const [at, storeId] of [STORE, OTHER].entries()) {
      publisher.add({
        kind: 'store',
        storeId,
        record: {
          storeId,
          name: storeId,
          createdAt: '',
          keys: { read: [], write: [], events: [] },
          readSecret: '',
          eventsWriteKey: '',
        },
        index: { kind: 'empty', catalog: 10 + at, language: 'en' },
        content: String(at),
      })
    }
    const preset = { kind: 'preset', name: 'a', json: '{}' } as const
    publisher.add({ kind: 'resources', storeId: STORE, change: { puts: [preset], removes: [] } })
    publisher.advance()
    const versions = [STORE, OTHER].map((id) => replicas[0]!.store(id)!.version)
    publisher.add({ kind: 'swapped', storeIds: [STORE, OTHER] })
    publisher.advance()
    replicas.push(replicaOf(publisher))
    for (const replica of replicas) {
      const [one, other] = [replica.store(STORE)!, replica.store(OTHER)!]
      assert.deepEqual([one.record.name, one.catalog, one.content], [STORE, 11, '1'])
      assert.deepEqual([other.record.name, other.catalog, other.content], [OTHER, 10, '0'])
      assert.deepEqual(
        [one, other].map(({ resources }) => resources.list('preset').length),
        [0, 1],
      )
      assert.ok(Math.min(one.version, other.version) > Math.max(...versions))
      // What was begun before the swap still finds its documents.
      assert.deepEqual([replica.knownCatalog(STORE), replica.knownCatalog(STORE, '0')], [11, 10])
    }
  })
})

function replicaOf(publisher: Publisher): Replica {
  const { port1, port2 } = new MessageChannel()
  publisher.connect(port1)
  port1.unref()
  const replica = new Replica(port2, publisher.generation, createSearcher, () => undefined)
  port2.unref()
  return replica
}

async function two(): Promise<EmbeddedCatalog> {
  const catalog = await openEmbeddedCatalog()
  await fill(catalog, STORE, 'shoe', 5)
  await fill(catalog, OTHER, 'next', 3)
  await catalog.writer.changeResources(OTHER, {
    puts: [{ kind: 'preset', name: 'a', json: '{}' }],
    removes: [],
  })
  return catalog
}

/** Ids and docKeys are the same in each store. */
async function fill(
  { writer }: EmbeddedCatalog,
  storeId: string,
  title: string,
  count: number,
): Promise<void> {
  await writer.createStore({ name: storeId, id: storeId })
  await writer.changeSchema(storeId, 'additive', FIELDS)
  const ids = Array.from({ length: count }, (_, i) => i)
  await writer.writeDocuments(
    storeId,
    ids.map((i) => upsert(`d${i}`, `{"title":"${title} ${i}"}`)),
  )
}

/** Titles of all documents of both stores, as searches find them. */
async function titlesOf({ backend, reader }: EmbeddedCatalog): Promise<string[][]> {
  const all = { kind: 'not', node: { kind: 'ids', ids: [] } } as const
  const titles: string[][] = []
  for (const storeId of [STORE, OTHER]) {
    const view = backend.view(storeId)!
    const ofStore: string[] = []
    for (const docKey of await view.matchingKeys(all)) {
      const found = (await reader.fetch(storeId, [docKey], view.content))(docKey)
      const { title } = JSON.parse(Buffer.from(found!.json).toString()) as { title: string }
      ofStore.push(title)
    }
    titles.push(ofStore)
  }
  return titles
}
