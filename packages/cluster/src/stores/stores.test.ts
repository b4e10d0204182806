import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { ControlIndex } from '../opensearch/control-index.ts'
import { NEEDS_CLUSTER, TEST_CLUSTER, testIndexName, until } from '@aisle/testing'
import { ClusterStores } from './cluster-stores.ts'

suite('Stores on several nodes of a cluster', NEEDS_CLUSTER, () => {
  const preset = (name: string, json: string) => ({ kind: 'preset' as const, name, json })

  test('a store, its keys and its presets are on the other node soon', async () => {
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

  test('a node keeps resources of kinds that only newer nodes know, and works beside them', async () => {
    await using nodes = await openStores(2)
    const [older, newer] = nodes.stores as [ClusterStores, ClusterStores]
    await newer.createStore({ name: 'Shop', id: 'shop' })
    const later = { ...preset('one', '{}'), kind: 'tomorrow' as 'preset' }
    await newer.changeResources('shop', { puts: [later], removes: [] })
    await until('what the newer one wrote', () => older.of('shop').list('tomorrow' as 'preset')[0])
    assert.ok(await older.changeResources('shop', { puts: [preset('a', '1')], removes: [] }))
    assert.ok(
      await older.changeResources('shop', {
        puts: [preset('b', '1')],
        removes: [{ kind: 'preset', name: 'a' }],
      }),
    )
    await until('the preset', () => newer.of('shop').get('preset', 'b'))
    assert.deepEqual(newer.of('shop').list('tomorrow' as 'preset'), [later])
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
