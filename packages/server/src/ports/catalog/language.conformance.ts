import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { planSearch } from '../../domain/plan/plan-search.ts'
import { FIELDS, filled, idsOfHits, STORE, upsert } from './catalog-fixture.ts'
import type { CatalogPorts, CreateCatalog } from './catalog-fixture.ts'

/** A language without a stemmer: words match only in the form in which they are written. */
const PLAIN = 'tlh'
const NO_CHANGE = { puts: [], removes: [] }

/**
 * Tests language changes of a store; each adapter calls it from its own test file, configured to
 * take several steps for a few documents.
 */
export function languageConformance(name: string, create: CreateCatalog): void {
  suite(`${name} changes the language of a store`, () => {
    test('results change with the language, and the view names it', async () => {
      await using catalog = await filled(create)
      const { writer, backend, registry } = catalog
      assert.equal(backend.view(STORE)!.analyzer.language, 'en')
      assert.deepEqual(await idsFound(catalog, 'shoes'), ['a', 'b'])
      assert.equal(await writer.changeResources(STORE, NO_CHANGE, PLAIN), true)
      await settled(catalog)
      assert.equal(backend.view(STORE)!.analyzer.language, PLAIN)
      assert.equal((await registry.statistics(STORE)).language, PLAIN)
      assert.deepEqual(await idsFound(catalog, 'shoes'), [])
      assert.deepEqual(await idsFound(catalog, 'shoe'), ['a', 'b'])
      await writer.changeResources(STORE, NO_CHANGE, 'en-GB')
      await settled(catalog)
      assert.deepEqual(await idsFound(catalog, 'shoes'), ['a', 'b'])
      assert.equal(await backend.view(STORE)!.docCount(), 3)
    })

    test('a store without documents changes immediately, also before a schema', async () => {
      await using catalog = await create()
      const { writer, backend } = catalog
      await writer.createStore({ name: 'My shop', id: STORE })
      await writer.changeResources(STORE, NO_CHANGE, PLAIN)
      assert.equal(backend.view(STORE)!.analyzer.language, PLAIN)
      await writer.changeSchema(STORE, 'additive', FIELDS)
      await writer.writeDocuments(STORE, [upsert('a', '{"title":"red shoe"}')])
      assert.deepEqual(await idsFound(catalog, 'shoes'), [])
      await writer.clearDocuments(STORE)
      await writer.writeDocuments(STORE, [upsert('a', '{"title":"red shoe"}')])
      assert.deepEqual(await idsFound(catalog, 'shoes'), [])
      await writer.clearDocuments(STORE)
      await writer.changeResources(STORE, NO_CHANGE, 'en')
      await writer.writeDocuments(STORE, [upsert('a', '{"title":"red shoe"}')])
      assert.deepEqual(await idsFound(catalog, 'shoes'), ['a'])
    })

    test('clearing, replacing or deleting ends a change in progress', async () => {
      for (const end of ['clear', 'replace', 'delete'] as const) {
        await using catalog = await many(create)
        const { writer, backend } = catalog
        await writer.changeResources(STORE, NO_CHANGE, PLAIN)
        if (end === 'clear') await writer.clearDocuments(STORE)
        if (end === 'replace') await writer.changeSchema(STORE, 'replace', FIELDS)
        if (end === 'delete') {
          await writer.deleteStore(STORE)
          await writer.createStore({ name: 'Again', id: STORE })
          await writer.changeSchema(STORE, 'additive', FIELDS)
        }
        await settled(catalog)
        assert.equal(backend.view(STORE)!.analyzer.language, end === 'delete' ? 'en' : PLAIN)
        await writer.writeDocuments(STORE, [upsert('a', '{"title":"red shoe"}')])
        assert.deepEqual(await idsFound(catalog, 'shoes'), end === 'delete' ? ['a'] : [])
      }
    })

    test('another change replaces one in progress, also the change back', async () => {
      await using catalog = await many(create)
      const { writer, backend } = catalog
      for (const languages of [
        [PLAIN, 'en'],
        [PLAIN, 'tt'],
        ['en', 'tt', PLAIN, 'en'],
      ]) {
        for (const one of languages) await writer.changeResources(STORE, NO_CHANGE, one)
        await settled(catalog)
        assert.equal(backend.view(STORE)!.analyzer.language, languages.at(-1))
        assert.equal((await idsFound(catalog, '*')).length, DOCUMENTS)
      }
    })

    test('fields added during a change are searchable afterwards', async () => {
      await using catalog = await many(create)
      const { writer } = catalog
      await writer.changeResources(STORE, NO_CHANGE, PLAIN)
      const more = {
        name: 'more',
        type: 'string',
        searchable: true,
        facet: true,
        sort: false,
      } as const
      await writer.changeSchema(STORE, 'additive', [...FIELDS, more])
      await writer.writeDocuments(STORE, [upsert('d1', '{"more":"added"}')])
      assert.deepEqual(await idsFound(catalog, 'added'), ['d1'])
      await settled(catalog)
      assert.deepEqual(await idsFound(catalog, 'added'), ['d1'])
    })

    test('writes during a change are found immediately, and afterwards', async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryWrites(DOCUMENTS), async (steps) => {
          await using catalog = await many(create)
          const { writer } = catalog
          const live = new Set(Array.from({ length: DOCUMENTS }, (_, i) => `d${i}`))
          await writer.changeResources(STORE, NO_CHANGE, PLAIN)
          for (const [i, [kind, of]] of steps.entries()) {
            if (kind === 'pause') await wait(1)
            else if (kind === 'delete') {
              assert.equal(await writer.deleteDocument(STORE, of), live.delete(of))
            } else {
              await writer.writeDocuments(STORE, [upsert(of, `{"title":"word${i}"}`)])
              live.add(of)
              assert.deepEqual(await idsFound(catalog, `word${i}`), [of])
            }
            assert.deepEqual(await idsFound(catalog, '*'), [...live].toSorted())
          }
          await settled(catalog)
          assert.equal(catalog.backend.view(STORE)!.analyzer.language, PLAIN)
          assert.deepEqual(await idsFound(catalog, '*'), [...live].toSorted())
          const last = new Map(
            steps.flatMap(([kind, of], i) => (kind === 'pause' ? [] : [[of, [kind, i]]])),
          )
          for (const [of, [kind, i]] of last as Map<string, [string, number]>) {
            assert.deepEqual(await idsFound(catalog, `word${i}`), kind === 'put' ? [of] : [])
          }
        }),
        { numRuns: 8 },
      )
    })
  })
}

const DOCUMENTS = 60

async function many(create: CreateCatalog): Promise<CatalogPorts & AsyncDisposable> {
  const catalog = await create()
  await catalog.writer.createStore({ name: 'My shop', id: STORE })
  await catalog.writer.changeSchema(STORE, 'additive', FIELDS)
  const writes = Array.from({ length: DOCUMENTS }, (_, i) => upsert(`d${i}`, '{"title":"shoe"}'))
  await catalog.writer.writeDocuments(STORE, writes)
  return catalog
}

/** Writes and deletions of the documents d0, d1 and so on, also of some that do not exist yet. */
export function arbitraryWrites(
  documents: number,
): fc.Arbitrary<(readonly ['put' | 'delete' | 'pause', id: string])[]> {
  const id = fc.nat({ max: documents + 5 }).map((i) => `d${i}`)
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constant('put' as const), id) },
    { weight: 3, arbitrary: fc.tuple(fc.constant('delete' as const), id) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('pause' as const), id) },
  )
  return fc.array(step, { maxLength: 25 })
}

/** Waits until no change of language or fields is in progress. */
export async function settled({ registry }: Pick<CatalogPorts, 'registry'>): Promise<void> {
  while ((await registry.statistics(STORE)).reanalysis !== undefined) await wait(1)
}

/** Returns the ids of all hits of a query, in order. */
export async function idsFound(catalog: CatalogPorts, q: string): Promise<string[]> {
  const view = catalog.backend.view(STORE)!
  const request = { q, per_page: 10_000, typo_max: 0, prefix_mode: 'off' } as const
  const context = { schema: view.schema!, analyzer: view.analyzer, nowMs: performance.now() }
  const { hits, found } = await view.search(planSearch(request, context).plan)
  assert.equal(hits.length, found)
  return (await idsOfHits(catalog, hits)).toSorted()
}
