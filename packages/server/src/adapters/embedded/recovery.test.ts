import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, suite } from 'node:test'
import { seededIntegers } from '@aisle/testing'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createAnalyzer } from '@aisle/engine'
import { planSearch } from '../../domain/plan/plan-search.ts'
import type { PlanRequest } from '../../domain/plan/plan-search.ts'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { upsert } from '../../ports/catalog/catalog-fixture.ts'
import { openEmbeddedCatalog } from './test/embedded-catalog.ts'
import type { EmbeddedCatalog } from './test/embedded-catalog.ts'

const analyzer = createAnalyzer()
const FIELDS = checkSchemaFields([
  { name: 'title', type: 'string', searchable: true, sort: true },
  { name: 'brand', type: 'string', searchable: true, facet: true },
  { name: 'price', type: 'float', facet: true, sort: true },
  { name: 'sku', type: 'int64', facet: true, sort: true },
  { name: 'tags', type: 'string[]', searchable: true, facet: true },
])
const NOUNS = 'shoe shoes lamp tent tents table jacket kettle'.split(' ')
const ADJECTIVES = 'red blue running light heavy small'.split(' ')

/** Documents are told apart by `id` and `version`. */
function json(id: number, version = 0): string {
  const mixed = id * 31 + version * 17
  return JSON.stringify({
    title: `${ADJECTIVES[mixed % 6]} ${NOUNS[(mixed >> 2) % 8]} ${ADJECTIVES[(mixed >> 1) % 6]}`,
    brand: ['Nordfell', 'nordfell', 'Käsehaus'][mixed % 3],
    price: (mixed % 40) / 4,
    sku: mixed % 19,
    tags: [NOUNS[(mixed >> 3) % 8], 'sale'].slice(mixed % 3),
  })
}

const put = (id: number, version = 0) => upsert(`d${id}`, json(id, version))

const FACETS = { facet_by: 'brand,price,sku,tags', per_page: 250 }
const SEARCHES: readonly PlanRequest[] = [
  ...[
    '*',
    'red shoe',
    'runing shoes',
    'heavy t',
    'blue lmap',
    'nordfel',
    'tent kettle',
    'kase',
  ].map((q) => ({ q, ...FACETS })),
  ...['price:<4', 'brand:=nordfell', 'tags:sale', 'sku:[3..9]', 'title:shoe && price:>2'].map(
    (filter_by) => ({ q: '*', filter_by, ...FACETS }),
  ),
  ...['price:asc', 'sku:desc', 'title:asc'].map((sort_by) => ({ q: '*', sort_by, per_page: 250 })),
  { q: 'small jacket', typo_max: 0, prefix_mode: 'off', per_page: 250 },
  { q: 'red tent', require_all_terms: true, per_page: 250 },
  { q: 'light', filter_by: 'price:>1', facet_mode: 'disjunctive', ...FACETS },
  { q: 'table', search_fields: ['tags'], page: 2, per_page: 5 },
]

/** What a store answers to the twenty searches, document texts included, as one text. */
async function answersOf(catalog: EmbeddedCatalog, storeId: string): Promise<string> {
  const view = catalog.backend.view(storeId)!
  const schema = view.schema!
  const answers: unknown[] = [await view.docCount()]
  for (const request of SEARCHES) {
    const { plan } = planSearch(request, { schema, analyzer, nowMs: performance.now() })
    const { hits, ...rest } = await view.search(plan)
    const texts: unknown[] = []
    for (const { docKey, textMatchScore } of hits) {
      const document = (await catalog.reader.fetch(storeId, [docKey]))(docKey)
      assert.ok(document !== undefined, `hit ${docKey} of ${storeId} can be read`)
      texts.push([document.id, Buffer.from(document.json).toString(), textMatchScore])
    }
    answers.push({ ...rest, texts })
  }
  return JSON.stringify(answers, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
}

async function makeStore({ writer }: EmbeddedCatalog, id: string): Promise<void> {
  await writer.createStore({ name: id, id })
  await writer.changeSchema(id, 'additive', FIELDS)
}

/** Writes ids `from .. to - 1`, a batch of 20 at a time. */
async function fill(
  { writer }: EmbeddedCatalog,
  storeId: string,
  from: number,
  to: number,
  version = 0,
): Promise<void> {
  for (let start = from; start < to; start += 20) {
    const ids = Array.from({ length: Math.min(20, to - start) }, (_, i) => start + i)
    await writer.writeDocuments(
      storeId,
      ids.map((id) => put(id, version)),
    )
  }
}

const base = mkdtempSync(join(tmpdir(), 'aisle-recovery-'))
let folderCount = 0
const newFolder = (): string => join(base, String(++folderCount))

/** The folder as it is, in another place: what a crash at this moment would leave. */
function copyOf(folder: string): string {
  const copy = newFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

suite('recovery', () => {
  after(() => rmSync(base, { recursive: true, force: true }))

  test('fields that documents added are there after a crash and after a clean end', async () => {
    const folder = newFolder()
    const filter_by = 'specs.color:=red && specs.width:>2 && specs.parts:{n:=a}'
    const found = async (catalog: EmbeddedCatalog) => {
      const view = catalog.backend.view('shop')!
      const context = { schema: view.schema!, analyzer, nowMs: performance.now() }
      const { plan } = planSearch({ q: 'red', filter_by, facet_by: 'specs.color' }, context)
      return (await view.search(plan)).found
    }
    const json = '{"specs":{"color":"red","width":3,"parts":[{"n":"a"}]}}'
    const first = await openEmbeddedCatalog(folder)
    await first.writer.createStore({ name: 'shop', id: 'shop' })
    const fields = checkSchemaFields([
      { name: 'specs', type: 'object' },
      { name: 'specs.*', type: 'auto', searchable: true, facet: true },
    ])
    await first.writer.changeSchema('shop', 'additive', fields)
    await first.writer.writeDocuments('shop', [upsert('a', json)])
    assert.equal(await found(first), 1)
    await first.kill()
    for (const count of [1, 2]) {
      const catalog = await openEmbeddedCatalog(folder)
      assert.equal(await found(catalog), count)
      await catalog.writer.writeDocuments('shop', [upsert('b', json)])
      assert.equal(await found(catalog), 2)
      await catalog.close()
    }
  })

  test('documents keep the order of their insertion after a restart, with and without index files', async () => {
    const folder = newFolder()
    const order = async ({ backend, reader }: EmbeddedCatalog) => {
      const view = backend.view('shop')!
      const context = { schema: view.schema!, analyzer, nowMs: performance.now() }
      const { hits } = await view.search(planSearch({ q: '*' }, context).plan)
      const ids = hits.map(async ({ docKey }) => (await reader.fetch('shop', [docKey]))(docKey)!.id)
      return (await Promise.all(ids)).join(' ')
    }
    const first = await openEmbeddedCatalog(folder)
    await first.writer.createStore({ name: 'shop', id: 'shop' })
    await first.writer.changeSchema('shop', 'additive', FIELDS)
    await first.writer.writeDocuments(
      'shop',
      [1, 2, 3, 4, 5].map((id) => put(id)),
    )
    for (const id of [4, 1, 3]) await first.writer.writeDocuments('shop', [put(id, 1)])
    const expected = 'd5 d4 d3 d2 d1'
    assert.equal(await order(first), expected)
    await first.kill()
    const second = await openEmbeddedCatalog(folder)
    assert.equal(await order(second), expected, 'after a crash')
    await second.close()
    const third = await openEmbeddedCatalog(folder)
    assert.equal(await order(third), expected, 'from index files')
    await third.writer.writeDocuments('shop', [put(2, 1), put(6)])
    await third.close()
    rmSync(join(folder, 'index'), { recursive: true })
    await using fourth = await openEmbeddedCatalog(folder)
    assert.equal(await order(fourth), `d6 ${expected}`, 'without index files')
  })

  // Goal: index files are a cache. Method: damage them in many ways; the answers must not change.
  test('index files damaged in any way never change an answer, and other stores serve', async () => {
    const folder = newFolder()
    const first = await openEmbeddedCatalog(folder)
    for (const storeId of ['shop', 'other']) {
      await makeStore(first, storeId)
      await fill(first, storeId, 0, storeId === 'shop' ? 160 : 40)
      await fill(first, storeId, 10, 20, 1)
      await first.writer.deleteDocument(storeId, 'd3')
    }
    const right = await answersOf(first, 'shop')
    const other = await answersOf(first, 'other')
    await first.close()
    const [shopIndex] = readdirSync(join(folder, 'index')).toSorted((a, b) => Number(a) - Number(b))
    const names = readdirSync(join(folder, 'index', shopIndex!))
    assert.ok(names.length >= 3, names.join(' '))

    const random = seededIntegers(11)
    const kinds = ['flipped bit', 'truncation', 'deletion', 'neighbour'] as const
    for (let way = 0; way < names.length * kinds.length; way++) {
      const name = names[way % names.length]!
      const kind = kinds[Math.floor(way / names.length)]!
      const copy = copyOf(folder)
      const path = join(copy, 'index', shopIndex!, name)
      const bytes = readFileSync(path)
      if (kind === 'deletion') rmSync(path)
      else if (kind === 'truncation') writeFileSync(path, bytes.subarray(0, random(bytes.length)))
      else if (kind === 'flipped bit') {
        bytes[random(bytes.length)]! ^= 1 << random(8)
        writeFileSync(path, bytes)
      } else {
        cpSync(join(copy, 'index', shopIndex!, names[(way + 1) % names.length]!), path)
      }
      const catalog = await openEmbeddedCatalog(copy)
      const what = `${kind} of ${name}`
      assert.equal(await answersOf(catalog, 'shop'), right, what)
      assert.equal(await answersOf(catalog, 'other'), other, what)
      // A manifest that is not there is the same as an index that was never saved.
      if (kind !== 'deletion' || name !== 'manifest.json') {
        assert.deepEqual(catalog.log, ['Could not open an index; rebuilding it'], what)
      }
      await catalog.kill()
      rmSync(copy, { recursive: true })
    }
  })

  test('after saved and unsaved changes and a crash, answers are those of a fresh rebuild', async () => {
    const folder = newFolder()
    const first = await openEmbeddedCatalog(folder)
    await makeStore(first, 'shop')
    await fill(first, 'shop', 0, 120)
    await fill(first, 'shop', 30, 50, 1)
    for (const id of [5, 6, 31]) await first.writer.deleteDocument('shop', `d${id}`)
    await first.close()

    const second = await openEmbeddedCatalog(folder)
    await fill(second, 'shop', 110, 150, 2)
    await fill(second, 'shop', 0, 6, 3)
    for (const id of [7, 33, 140]) await second.writer.deleteDocument('shop', `d${id}`)
    const before = await answersOf(second, 'shop')
    const crashed = copyOf(folder)
    await second.kill()

    const third = await openEmbeddedCatalog(crashed)
    assert.equal(await answersOf(third, 'shop'), before)
    assert.deepEqual(third.log, [])
    await third.close()

    rmSync(join(crashed, 'index'), { recursive: true })
    const rebuilt = await openEmbeddedCatalog(crashed)
    assert.equal(await answersOf(rebuilt, 'shop'), before)
    await rebuilt.kill()
  })

  test('work on an index that is given up because the process ends is not a failure', async () => {
    const warnings: string[] = []
    const note = (warning: Error): number => warnings.push(warning.message)
    process.on('warning', note)
    const catalog = await openEmbeddedCatalog(newFolder())
    await makeStore(catalog, 'shop')
    for (let i = 0; i < 30; i++) await fill(catalog, 'shop', i, i + 1)
    await catalog.kill()
    await nextTurn()
    process.off('warning', note)
    assert.deepEqual(warnings, [])
  })

  test('what was acknowledged of resources is there after a crash, and on a thread that starts later', async () => {
    const folder = newFolder()
    const first = await openEmbeddedCatalog(folder)
    await first.writer.createStore({ name: 'Shop', id: 'shop' })
    const names = Array.from({ length: 20 }, (_, i) => `p${i}`)
    for (const name of names) {
      const puts = [{ kind: 'preset', name, json: `"${name}"` }] as const
      await first.writer.changeResources('shop', { puts, removes: [] })
    }
    const removes = [{ kind: 'preset', name: 'p3' }] as const
    await first.writer.changeResources('shop', { puts: [], removes })
    await first.kill()
    const second = await openEmbeddedCatalog(folder)
    assert.deepEqual(
      second.resources
        .of('shop')
        .list('preset')
        .map((one) => one.json),
      names
        .filter((name) => name !== 'p3')
        .toSorted()
        .map((name) => `"${name}"`),
    )
    await second.kill()
  })

  test('a version that died and was reaped before the first save stays dead after it', async () => {
    const folder = newFolder()
    const first = await openEmbeddedCatalog(folder)
    await makeStore(first, 'shop')
    await fill(first, 'shop', 0, 20)
    await first.writer.deleteDocument('shop', 'd3')
    await first.writer.writeDocuments('shop', [put(4, 9)])
    const before = await answersOf(first, 'shop')
    await first.reap()
    await first.reap()
    await first.close()
    const second = await openEmbeddedCatalog(folder)
    assert.equal(await answersOf(second, 'shop'), before)
    assert.deepEqual(second.log, [])
    await second.kill()
  })

  test('index files of another time than the documents are noticed', async () => {
    const folder = newFolder()
    const first = await openEmbeddedCatalog(folder)
    await makeStore(first, 'shop')
    await fill(first, 'shop', 0, 20)
    await first.close()
    const older = copyOf(folder)
    const second = await openEmbeddedCatalog(folder)
    await second.writer.deleteDocument('shop', 'd3')
    const before = await answersOf(second, 'shop')
    await second.close()
    // The files say that d3 lives, and once its row is reaped nothing contradicts them.
    const third = await openEmbeddedCatalog(folder)
    await third.reap()
    await third.reap()
    await third.kill()
    rmSync(join(folder, 'index'), { recursive: true })
    cpSync(join(older, 'index'), join(folder, 'index'), { recursive: true })
    const fourth = await openEmbeddedCatalog(folder)
    assert.equal(await answersOf(fourth, 'shop'), before)
    assert.deepEqual(fourth.log, ['Could not open an index; rebuilding it'])
    await fourth.kill()
  })
})
