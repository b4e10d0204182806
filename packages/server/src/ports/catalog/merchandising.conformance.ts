import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { SearchPlan } from '@aisle/engine'
import { filled, idsOfHits, planOf, SKU, STORE, TITLE, upsert } from './catalog-fixture.ts'
import type { CatalogPorts, CreateCatalog } from './catalog-fixture.ts'

/**
 * Tests how an adapter rests, and applies pins and boosts; each adapter calls it from its own test
 * file.
 */
export function merchandisingConformance(name: string, create: CreateCatalog): void {
  suite(`${name} places and boosts documents`, () => {
    test('a view that rests whenever it can finds the same', async () => {
      await using catalog = await filled(create)
      const rest = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
      const turns = { isDue: () => true, rest }
      const plan = planOf(catalog.backend.view(STORE)!, { words: ['shoe'] })
      const request = { prefix: 'sh', words: [], limit: 5 }
      const found = await Promise.all(
        [undefined, turns, turns].map(async (own) => {
          const view = catalog.backend.view(STORE, own)!
          return [await view.search(plan), await view.complete(plan, request)]
        }),
      )
      assert.deepEqual(found[1], found[0])
      assert.deepEqual(found[2], found[0])
    })

    test('a pin names a document in any version', async () => {
      await using catalog = await filled(create)
      const { writer } = catalog
      const pins = [{ id: 'c', position: 1 }]
      assert.deepEqual(await hitsOf(catalog, { pins }, ['shoe']), ['c*', 'b', 'a'])
      await writer.writeDocuments(STORE, [upsert('c', '{"title":"yellow hat"}')])
      assert.deepEqual(await hitsOf(catalog, { pins }, ['shoe']), ['c*', 'b', 'a'])
      await writer.deleteDocument(STORE, 'c')
      assert.deepEqual(await hitsOf(catalog, { pins }, ['shoe']), ['b', 'a'])
      await writer.writeDocuments(STORE, [upsert('c', '{"title":"hat"}')])
      assert.deepEqual(await hitsOf(catalog, { pins }, ['shoe']), ['c*', 'b', 'a'])
      await writer.clearDocuments(STORE)
      assert.deepEqual(await hitsOf(catalog, { pins }, ['shoe']), [])
    })

    test('a pin overrides words and order, but not filters', async () => {
      await using catalog = await filled(create)
      const pins = [
        { id: 'none', position: 1 },
        { id: 'a', position: 2 },
        { id: 'c', position: 9 },
      ]
      assert.deepEqual(await hitsOf(catalog, { pins }, ['blue']), ['b', 'a*', 'c*'])
      const sku = { kind: 'exists', field: SKU! } as const
      assert.deepEqual(await hitsOf(catalog, { pins, filter: sku }, ['blue']), ['b', 'a*'])
      const not = { kind: 'not', node: sku } as const
      assert.deepEqual(await hitsOf(catalog, { pins, filter: not }, ['blue']), ['c*'])
      const page = { pins, from: 1, size: 1 }
      assert.deepEqual(await hitsOf(catalog, page, ['blue']), ['a*'])
    })

    test('a boost orders the hits, with and without words', async () => {
      await using catalog = await filled(create)
      const boosts = [
        { filter: { kind: 'words', field: TITLE!, forms: ['red'] }, factor: 2 },
      ] as const
      assert.deepEqual(await hitsOf(catalog, {}, ['shoe']), ['b', 'a'])
      assert.deepEqual(await hitsOf(catalog, { boosts }, ['shoe']), ['a', 'b'])
      assert.deepEqual(await hitsOf(catalog, { boosts }), ['a', 'c', 'b'])
      const buries = boosts.map((boost) => ({ ...boost, factor: 0.5 }))
      assert.deepEqual(await hitsOf(catalog, { boosts: buries }), ['c', 'b', 'a'])
    })
  })
}

/** Returns the ids of a page, pinned ones with a star; `found` is exact. */
async function hitsOf(
  catalog: CatalogPorts,
  changes: Partial<SearchPlan>,
  words: readonly string[] = [],
): Promise<string[]> {
  const view = catalog.backend.view(STORE)!
  const plan = planOf(view, { words })
  const { hits } = await view.search({ ...plan, ...changes })
  const { found } = await view.search({ ...plan, ...changes, from: 0, size: 250 })
  const all = await view.search({ ...plan, ...changes, from: 0, size: 1_000 })
  assert.equal(found, all.hits.length)
  const ids = await idsOfHits(catalog, hits)
  return hits.map(({ pinned }, at) => `${ids[at]}${pinned === true ? '*' : ''}`)
}
