import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PRESETS_MAX, RESOURCES_MAX_BYTES } from '@aisle/contract'
import { STORE } from './catalog-fixture.ts'
import type { CatalogPorts, CreateCatalog } from './catalog-fixture.ts'
import type { Resource } from './resource-reader.ts'

/**
 * Tests the resources of a store; each adapter calls it from its own test file.
 */
export function resourceConformance(name: string, create: CreateCatalog): void {
  const withStore = async (): Promise<CatalogPorts & AsyncDisposable> => {
    const catalog = await create()
    await catalog.writer.createStore({ name: 'My shop', id: STORE })
    return catalog
  }
  const preset = (of: string, json = '{}'): Resource => ({ kind: 'preset', name: of, json })
  const named = (of: string) => ({ kind: 'preset', name: of }) as const

  suite(`${name} keeps resources`, () => {
    test('a resource is visible as soon as the call resolves, and the same object until it changes', async () => {
      await using catalog = await withStore()
      const { writer, resources } = catalog
      const put = (json: string) =>
        writer.changeResources(STORE, { puts: [preset('a', json)], removes: [] })
      assert.equal(resources.of(STORE).get('preset', 'a'), undefined)
      assert.equal(await put('{"n":9007199254740993}'), true)
      const first = resources.of(STORE).get('preset', 'a')
      assert.deepEqual(first, preset('a', '{"n":9007199254740993}'))
      const list = resources.of(STORE).list('preset')
      await writer.changeResources(STORE, {
        puts: [{ kind: 'synonymSet', name: 'a', json: '1' }],
        removes: [],
      })
      assert.equal(resources.of(STORE).get('preset', 'a'), first)
      assert.equal(resources.of(STORE).list('preset'), list)
      await put('{"n":2}')
      assert.equal(resources.of(STORE).get('preset', 'a')?.json, '{"n":2}')
      assert.notEqual(resources.of(STORE).list('preset'), list)
    })

    test('a view keeps its resources despite later writes', async () => {
      await using catalog = await withStore()
      const { writer, backend } = catalog
      const put = (json: string) =>
        writer.changeResources(STORE, { puts: [preset('a', json)], removes: [] })
      await put('1')
      const view = backend.view(STORE)!
      await put('2')
      await writer.changeResources(STORE, { puts: [preset('b')], removes: [] })
      assert.equal(view.resources.get('preset', 'a')?.json, '1')
      assert.deepEqual(
        view.resources.list('preset').map(({ json }) => json),
        ['1'],
      )
      assert.equal(backend.view(STORE)!.resources.get('preset', 'a')?.json, '2')
      await writer.changeResources(STORE, { puts: [], removes: [named('a')] })
      assert.equal(view.resources.get('preset', 'a')?.json, '1')
      assert.equal(backend.view(STORE)!.resources.get('preset', 'a'), undefined)
    })

    test('a list is ordered by name, for any names', async () => {
      await using catalog = await withStore()
      const names = ['z', 'é', 'A', '__proto__', 'a b', 'a/b', '例']
      const puts = names.map((of) => preset(of))
      assert.equal(await catalog.writer.changeResources(STORE, { puts, removes: [] }), true)
      assert.deepEqual(
        catalog.resources
          .of(STORE)
          .list('preset')
          .map((one) => one.name),
        names.toSorted(),
      )
      assert.deepEqual(catalog.resources.of('other').list('preset'), [])
    })

    test('a change is atomic', async () => {
      await using catalog = await withStore()
      const { writer, resources } = catalog
      const names = () =>
        resources
          .of(STORE)
          .list('preset')
          .map((one) => one.name)
      await writer.changeResources(STORE, { puts: [preset('a'), preset('b')], removes: [] })
      const puts = [preset('c'), { ...preset('a', '1'), insert: true }]
      assert.equal(await writer.changeResources(STORE, { puts, removes: [] }), false)
      const absent = { puts: [preset('c')], removes: [named('x')] }
      assert.equal(await writer.changeResources(STORE, absent), false)
      assert.deepEqual(names(), ['a', 'b'])
      const good = { puts: [{ ...preset('c'), insert: true }], removes: [named('a')] }
      assert.equal(await writer.changeResources(STORE, good), true)
      assert.deepEqual(names(), ['b', 'c'])
    })

    test('what somebody has changed since is not removed', async () => {
      await using catalog = await withStore()
      const { writer, resources } = catalog
      await writer.changeResources(STORE, { puts: [preset('a', '1')], removes: [] })
      const remove = (replaces: string) =>
        writer.changeResources(STORE, { puts: [], removes: [{ ...named('a'), replaces }] })
      assert.equal(await remove('0'), false)
      assert.equal(resources.of(STORE).get('preset', 'a')?.json, '1')
      assert.equal(await remove('1'), true)
      assert.equal(resources.of(STORE).get('preset', 'a'), undefined)
    })

    test('of concurrent inserts of a name, one succeeds', async () => {
      await using catalog = await withStore()
      const done = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          catalog.writer.changeResources(STORE, {
            puts: [{ ...preset('a', String(i)), insert: true }],
            removes: [],
          }),
        ),
      )
      assert.equal(done.filter(Boolean).length, 1)
    })

    test('number and bytes are limited; a change beyond a limit changes nothing', async () => {
      await using catalog = await withStore()
      const { writer, resources } = catalog
      const many = Array.from({ length: PRESETS_MAX }, (_, i) => preset(`p${i}`))
      await writer.changeResources(STORE, { puts: many, removes: [] })
      await assert.rejects(writer.changeResources(STORE, { puts: [preset('more')], removes: [] }), {
        code: 'invalid_parameter',
        param: 'name',
      })
      assert.equal(
        await writer.changeResources(STORE, { puts: [preset('more')], removes: [named('p0')] }),
        true,
      )
      const large = JSON.stringify('é'.repeat(RESOURCES_MAX_BYTES / 2))
      await assert.rejects(
        writer.changeResources(STORE, { puts: [preset('p1', large)], removes: [] }),
        { code: 'payload_too_large' },
      )
      assert.equal(resources.of(STORE).get('preset', 'p1')?.json, '{}')
    })

    test('resources are deleted with their store, and stores do not share them', async () => {
      await using catalog = await withStore()
      const { writer, resources } = catalog
      await writer.createStore({ name: 'Other', id: 'other' })
      for (const id of [STORE, 'other']) {
        await writer.changeResources(id, { puts: [preset('a', `"${id}"`)], removes: [] })
      }
      await writer.deleteStore('other')
      assert.deepEqual(resources.of('other').list('preset'), [])
      const change = { puts: [preset('a')], removes: [] }
      await assert.rejects(writer.changeResources('other', change), { code: 'store_not_found' })
      await writer.createStore({ name: 'Other', id: 'other' })
      assert.equal(resources.of('other').get('preset', 'a'), undefined)
      assert.equal(resources.of(STORE).get('preset', 'a')?.json, `"${STORE}"`)
    })
  })
}
