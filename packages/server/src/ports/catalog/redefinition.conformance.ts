import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { suite, test } from 'node:test'
import type { ApiError } from '@aisle/contract'
import fc from 'fast-check'
import { planSearch } from '../../domain/plan/plan-search.ts'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { FIELDS, idsOfHits, statuses, STORE, textOf, upsert, write } from './catalog-fixture.ts'
import type { CatalogPorts, CreateCatalog } from './catalog-fixture.ts'
import { arbitraryWrites, idsFound, settled } from './language.conformance.ts'

const COUNT = 40

/**
 * Tests changes of fields whose documents stay; each adapter calls it from its own test file,
 * configured to take several steps for a few documents.
 */
export function redefinitionConformance(name: string, create: CreateCatalog): void {
  suite(`${name} redefines fields of a store`, () => {
    test('roles change, and documents stay', async () => {
      await using catalog = await shop(create)
      const { writer, backend, registry } = catalog
      assert.deepEqual(await idsFound(catalog, 'sale'), [])
      const change = await writer.redefineFields(STORE, [
        ...fields({ name: 'tags', type: 'string[]', facet: true, searchable: true }),
        ...fields({ name: 'title', type: 'string', searchable: true, facet: true, sort: true }),
        ...fields({ name: 'sku', type: 'int64', facet: true, sort: true }),
        ...fields({ name: 'color', type: 'string', facet: true }),
      ])
      assert.deepEqual(change, {
        fieldsAdded: ['color'],
        fieldsChanged: ['tags', 'title'],
        fieldsUnchanged: ['sku'],
      })
      await settled(catalog)
      assert.deepEqual(backend.view(STORE)!.schema!.fields.map(shortOf), [
        'title:string sfo',
        'price:float fo',
        'sku:int64 fo',
        'tags:string[] sf',
        'made:string f',
        'color:string f',
      ])
      assert.equal((await idsFound(catalog, 'sale')).length, COUNT / 2)
      assert.deepEqual(await idsWhere(catalog, 'title:=`shoe 7`'), ['d7'])
      const { previousFields } = await registry.statistics(STORE)
      assert.deepEqual(
        previousFields?.map(shortOf),
        ['title:string s', 'tags:string[] f'].toReversed(),
      )
      // Undoing is a change too.
      await writer.redefineFields(STORE, previousFields!)
      await settled(catalog)
      assert.deepEqual(await idsFound(catalog, 'sale'), [])
      assert.equal((await idsFound(catalog, '*')).length, COUNT)
    })

    test('types become wider, and documents are returned as they were written', async () => {
      await using catalog = await shop(create)
      const { writer } = catalog
      await writer.redefineFields(STORE, [
        ...fields({ name: 'sku', type: 'float', facet: true, sort: true }),
        ...fields({ name: 'title', type: 'string[]', facet: true, searchable: true }),
        ...fields({ name: 'made', type: 'date', facet: true, sort: true }),
      ])
      await settled(catalog)
      assert.deepEqual(await idsWhere(catalog, 'made:>=2026-02-11'), ['d38', 'd39'])
      assert.deepEqual(await idsWhere(catalog, 'sku:[4.5..6.5]'), ['d5', 'd6'])
      assert.deepEqual(await idsWhere(catalog, 'title:=`shoe 7`'), ['d7'])
      assert.match((await textOf(catalog, 'd7'))!, /"title":"shoe 7"/)
      const outcomes = await writer.writeDocuments(STORE, [
        upsert('e1', '{"title":["boot 1","boot 2"],"sku":0.5,"made":"2026-03-01T10:00:00Z"}'),
        upsert('e2', '{"title":"boot 3"}'),
        write('update', 'd7', '{"price":9}'),
        upsert('e3', '{"made":"soon"}'),
      ])
      assert.deepEqual(statuses(outcomes), ['created', 'created', 'updated', 'invalid_type'])
      assert.deepEqual(await idsFound(catalog, 'boot'), ['e1', 'e2'])
    })

    test('what cannot be converted is listed, and nothing changes', async () => {
      await using catalog = await shop(create)
      const { writer, registry, backend } = catalog
      const asDate = fields({ name: 'title', type: 'date', facet: true })
      await assert.rejects(writer.redefineFields(STORE, asDate), (error: ApiError) => {
        assert.equal(error.code, 'schema_conversion_failed')
        assert.equal(error.details.length, 20)
        assert.ok(
          error.details.every(({ param, code }) => param?.[0] === 'd' && code === 'invalid_type'),
        )
        return true
      })
      await writer.writeDocuments(STORE, [upsert('d3', '{"sku":3000000000}')])
      const asInt = fields({ name: 'sku', type: 'int32', facet: true })
      await assert.rejects(writer.redefineFields(STORE, asInt), (error: ApiError) => {
        assert.deepEqual(
          error.details.map(({ param, code }) => [param, code]),
          [['d3', 'out_of_range']],
        )
        return true
      })
      assert.equal((await registry.statistics(STORE)).reanalysis, undefined)
      assert.deepEqual(backend.view(STORE)!.schema!.fields[0]!.type, 'string')
      // A document that does not fit may be written again, since nothing is being changed.
      assert.deepEqual(
        statuses(await writer.writeDocuments(STORE, [upsert('d3', '{"sku":4000000000}')])),
        ['updated'],
      )
      await assert.rejects(
        writer.redefineFields(STORE, fields({ name: 'title', type: 'object' })),
        { code: 'invalid_schema' },
      )
    })

    test('while it runs, the former schema serves and new documents must fit both', async () => {
      await using catalog = await shop(create, 300)
      const { writer, registry, backend } = catalog
      await writer.redefineFields(STORE, fields({ name: 'made', type: 'date', facet: true }))
      const running = (await registry.statistics(STORE)).reanalysis
      assert.deepEqual(running?.fields?.map(shortOf), ['made:date f'])
      const outcomes = await writer.writeDocuments(STORE, [
        upsert('d1', '{"made":"soon"}'),
        upsert('d2', '{"made":"2026-12-24"}'),
        upsert('d3', '{"made":20261224}'),
      ])
      const isOver = backend.view(STORE)!.schema!.fields.at(-1)!.type === 'date'
      // A number is a date, but no text.
      const third = isOver ? 'updated' : 'invalid_type'
      assert.deepEqual(statuses(outcomes), ['invalid_type', 'updated', third])
      await settled(catalog)
      assert.ok((await idsWhere(catalog, 'made:>=2026-12-24')).includes('d2'))
    })

    test('it can be cancelled, and clearing or replacing ends it', async () => {
      for (const end of ['cancel', 'clear', 'replace', 'back'] as const) {
        await using catalog = await shop(create, 300)
        const { writer, backend } = catalog
        const searchable = { name: 'tags', type: 'string[]', facet: true, searchable: true }
        await writer.redefineFields(STORE, fields(searchable))
        let isCancelled = true
        if (end === 'cancel') isCancelled = await writer.cancelRedefinition(STORE)
        if (end === 'clear') await writer.clearDocuments(STORE)
        if (end === 'replace') await writer.changeSchema(STORE, 'replace', FIELDS)
        if (end === 'back') {
          await writer.redefineFields(STORE, fields({ ...searchable, searchable: false }))
        }
        await settled(catalog)
        const isChanged = backend.view(STORE)!.schema!.fields[3]!.searchable
        assert.equal(isChanged, end === 'clear' || !isCancelled)
        assert.equal(await writer.cancelRedefinition(STORE), false)
        await writer.writeDocuments(STORE, [upsert('n', '{"tags":["new"]}')])
        assert.deepEqual(await idsFound(catalog, 'new'), isChanged ? ['n'] : [])
      }
    })

    test('a language and fields change at once', async () => {
      await using catalog = await shop(create, 300)
      const { writer, backend } = catalog
      const searchable = { name: 'tags', type: 'string[]', facet: true, searchable: true }
      await writer.redefineFields(STORE, fields(searchable))
      await writer.changeResources(STORE, { puts: [], removes: [] }, 'tlh')
      await writer.changeSchema(
        STORE,
        'additive',
        fields({ name: 'more', type: 'string', searchable: true }),
      )
      await writer.writeDocuments(STORE, [upsert('n', '{"more":"added"}')])
      await settled(catalog)
      const { schema, analyzer } = backend.view(STORE)!
      assert.equal(analyzer.language, 'tlh')
      assert.equal(schema!.fields[3]!.searchable, true)
      assert.deepEqual(await idsFound(catalog, 'added'), ['n'])
      assert.deepEqual(await idsFound(catalog, 'shoes'), [])
    })

    test('writes during a change are found at once, and afterwards', async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryWrites(COUNT), async (steps) => {
          await using catalog = await shop(create)
          const { writer } = catalog
          const tagOf = new Map(
            Array.from({ length: COUNT }, (_, i) => [`d${i}`, i % 2 === 0 ? 'sale' : 'full']),
          )
          await writer.redefineFields(
            STORE,
            fields(
              { name: 'tags', type: 'string[]', facet: true, searchable: true },
              { name: 'sku', type: 'float', facet: true, sort: true },
            ),
          )
          for (const [i, [kind, of]] of steps.entries()) {
            if (kind === 'pause') await nextTurn()
            else if (kind === 'delete') {
              assert.equal(await writer.deleteDocument(STORE, of), tagOf.delete(of))
            } else {
              await writer.writeDocuments(STORE, [upsert(of, `{"tags":["t${i}"],"sku":${i}}`)])
              tagOf.set(of, `t${i}`)
              assert.deepEqual(await idsWhere(catalog, `tags:=t${i}`), [of])
            }
          }
          await settled(catalog)
          assert.deepEqual(await idsFound(catalog, '*'), [...tagOf.keys()].toSorted())
          for (const tag of new Set(['sale', 'full', ...tagOf.values()])) {
            const ids = [...tagOf].flatMap(([of, its]) => (its === tag ? [of] : [])).toSorted()
            assert.deepEqual(await idsFound(catalog, tag), ids)
            assert.deepEqual(await idsWhere(catalog, `tags:=${tag}`), ids)
          }
        }),
        { numRuns: 8 },
      )
    })
  })
}

function fields(...given: readonly object[]) {
  return checkSchemaFields(given)
}

function shortOf({
  name,
  type,
  searchable,
  facet,
  sort,
}: {
  readonly name: string
  readonly type: string
  readonly searchable: boolean
  readonly facet: boolean
  readonly sort: boolean
}): string {
  return `${name}:${type} ${searchable ? 's' : ''}${facet ? 'f' : ''}${sort ? 'o' : ''}`
}

async function shop(create: CreateCatalog, count = COUNT): Promise<CatalogPorts & AsyncDisposable> {
  const catalog = await create()
  await catalog.writer.createStore({ name: 'My shop', id: STORE })
  await catalog.writer.changeSchema(STORE, 'additive', [
    ...FIELDS,
    ...fields({ name: 'made', type: 'string', facet: true }),
  ])
  const writes = Array.from({ length: count }, (_, i) => {
    const made = `2026-${i < 30 ? '01' : '02'}-${String((i % 28) + 1).padStart(2, '0')}`
    const tags = [i % 2 === 0 ? 'sale' : 'full']
    return upsert(`d${i}`, JSON.stringify({ title: `shoe ${i}`, sku: i, tags, made }))
  })
  await catalog.writer.writeDocuments(STORE, writes)
  return catalog
}

/** The ids of all documents that pass a filter. */
async function idsWhere(catalog: CatalogPorts, filter: string): Promise<string[]> {
  const view = catalog.backend.view(STORE)!
  const request = { q: '*', per_page: 10_000, filter_by: filter }
  const context = { schema: view.schema!, analyzer: view.analyzer, nowMs: performance.now() }
  const { hits } = await view.search(planSearch(request, context).plan)
  return (await idsOfHits(catalog, hits)).toSorted()
}
