import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ClusterConnection, ControlIndex } from '@aisle/opensearch'
import { NEEDS_CLUSTER, TEST_CLUSTER, testIndexName, until } from '@aisle/testing'
import { catalogConformance } from '../../ports/catalog.conformance.ts'
import type { CatalogPorts } from '../../ports/catalog-fixture.ts'
import { resourceConformance } from '../../ports/resources.conformance.ts'
import { createMemoryCatalog } from '../memory/memory-catalog.ts'
import { ClusterStores } from './cluster-stores.ts'

const NAME = 'Stores on OpenSearch, documents in memory'

if (TEST_CLUSTER.length === 0) test(`${NAME}, conform`, NEEDS_CLUSTER)
else {
  catalogConformance(NAME, openCatalog)
  resourceConformance(NAME, openCatalog)
}

suite('Stores on several nodes of a cluster', NEEDS_CLUSTER, () => {
  const preset = (name: string, json: string) => ({ kind: 'preset' as const, name, json })

  test('a store, its keys and its presets are on the other node within a second', async () => {
    await using nodes = await openStores(2)
    const [here, there] = nodes.stores as [ClusterStores, ClusterStores]
    const { readSecret } = await here.createStore({ name: 'Shop', id: 'shop' })
    await until('the store', () => there.find('shop')?.readSecret === readSecret)
    const { secret } = await there.rotateKey('shop', 'read', 60)
    await until('the new key', () => here.find('shop')?.readSecret === secret)
    await here.changeResources('shop', { puts: [preset('a', '1'), preset('b', '1')], removes: [] })
    await until('the presets', () => there.of('shop').list('preset').length === 2)
    const kept = there.of('shop').get('preset', 'a')
    await here.changeResources('shop', { puts: [preset('b', '2')], removes: [] })
    await until('the change', () => there.of('shop').get('preset', 'b')?.json === '2')
    assert.equal(
      there.of('shop').get('preset', 'a'),
      kept,
      'what is the same stays the same object',
    )
  })

  test('a store that is created again under its id has nothing of the former one', async () => {
    await using nodes = await openStores(2)
    const [here, there] = nodes.stores as [ClusterStores, ClusterStores]
    await here.createStore({ name: 'One', id: 'shop' })
    await here.changeResources('shop', { puts: [preset('a', '1')], removes: [] })
    await until('the preset', () => there.of('shop').list('preset').length === 1)
    await here.deleteStore('shop')
    await assert.rejects(here.deleteStore('shop'), { code: 'store_not_found' })
    await here.createStore({ name: 'Two', id: 'shop' })
    assert.deepEqual(here.of('shop').list('preset'), [])
    await until('the other store', () => there.find('shop')?.name === 'Two')
    assert.deepEqual(there.of('shop').list('preset'), [])
  })

  test('of nodes that take an id, or replace a text, at the same time, one does', async () => {
    await using nodes = await openStores(3)
    const created = await Promise.allSettled(
      nodes.stores.map((stores) => stores.createStore({ name: 'Shop', id: 'shop' })),
    )
    assert.equal(created.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const stores of nodes.stores) await until('the store', () => stores.find('shop'))
    await nodes.stores[0]!.changeResources('shop', { puts: [preset('a', '0')], removes: [] })
    const replaced = await Promise.all(
      nodes.stores.map((stores, i) =>
        until('the preset', () => stores.of('shop').get('preset', 'a')).then(() =>
          stores.changeResources('shop', {
            puts: [{ ...preset('a', String(i + 1)), replaces: '0' }],
            removes: [],
          }),
        ),
      ),
    )
    assert.equal(replaced.filter(Boolean).length, 1)
  })

  test('presets that all nodes add at the same time are all there', async () => {
    await using nodes = await openStores(3)
    await nodes.stores[0]!.createStore({ name: 'Shop', id: 'shop' })
    for (const stores of nodes.stores) await until('the store', () => stores.find('shop'))
    const names = Array.from({ length: 12 }, (_, i) => `p${i}`)
    await Promise.all(
      names.map((name, i) =>
        nodes.stores[i % 3]!.changeResources('shop', { puts: [preset(name, '1')], removes: [] }),
      ),
    )
    for (const stores of nodes.stores) {
      await until('all presets', () => stores.of('shop').list('preset').length === names.length)
    }
  })
})

/** Nodes over one index, which goes with them. */
async function openStores(
  count: number,
): Promise<{ readonly stores: readonly ClusterStores[] } & AsyncDisposable> {
  const name = testIndexName()
  const failures: unknown[] = []
  const clusters = Array.from(
    { length: count },
    (_, at) => new ClusterConnection({ urls: [TEST_CLUSTER[at % TEST_CLUSTER.length]!] }),
  )
  const stores: ClusterStores[] = []
  for (const cluster of clusters) {
    const index = await ControlIndex.open(cluster, name)
    const clock = { now: () => Date.now() }
    stores.push(await ClusterStores.open(index, clock, (error) => failures.push(error)))
  }
  return {
    stores,
    async [Symbol.asyncDispose]() {
      for (const one of stores) one.close()
      await clusters[0]!.request({ method: 'DELETE', path: `/${name}` })
      for (const cluster of clusters) await cluster.close()
      assert.deepEqual(failures, [])
    },
  }
}

/** All ports of a catalog: what is not done on the cluster yet is done in memory. */
async function openCatalog(): Promise<CatalogPorts & AsyncDisposable> {
  const nodes = await openStores(1)
  const [stores] = nodes.stores as [ClusterStores]
  const { registry, reader, writer, backend } = createMemoryCatalog({
    clock: { now: () => Date.now() },
  })
  return {
    registry: {
      find: (storeId) => stores.find(storeId),
      list: () => stores.list(),
      statistics: (storeId) => registry.statistics(storeId),
    },
    resources: stores,
    reader,
    backend: {
      view(storeId) {
        const view = backend.view(storeId)
        return view && { ...view, resources: stores.of(storeId) }
      },
    },
    writer: {
      ...writer,
      async createStore(request) {
        const created = await stores.createStore(request)
        await writer.createStore({ name: created.name, id: created.storeId })
        return created
      },
      async deleteStore(storeId) {
        await stores.deleteStore(storeId)
        await writer.deleteStore(storeId)
      },
      renameStore: (storeId, name) => stores.renameStore(storeId, name),
      rotateKey: (storeId, kind, graceSeconds) => stores.rotateKey(storeId, kind, graceSeconds),
      revokePreviousKey: (storeId, kind) => stores.revokePreviousKey(storeId, kind),
      noteKeyUses: (uses) => stores.noteKeyUses(uses),
      async changeResources(storeId, change, language) {
        const isDone = await stores.changeResources(storeId, change)
        // In memory only the version of the answers is counted up, and the language changed.
        if (isDone) await writer.changeResources(storeId, { puts: [], removes: [] }, language)
        return isDone
      },
    },
    [Symbol.asyncDispose]: () => nodes[Symbol.asyncDispose](),
  }
}
