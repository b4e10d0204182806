import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Analyzer } from '@aisle/engine'
import { openEmbeddedCatalog } from '../../adapters/embedded/test/embedded-catalog.ts'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { upsert } from '../../ports/catalog/catalog-fixture.ts'
import { servicePortsOver } from '../service-ports-for-test.ts'
import type { ServicePorts } from '../service-ports.ts'
import { putRule } from '../store/put-rule.ts'
import { putSynonymSet } from '../store/put-sets.ts'
import { putPreset } from './put-preset.ts'
import { search } from './search.ts'

const FIELDS = checkSchemaFields([
  { name: 'title', type: 'string', searchable: true },
  { name: 'colour', type: 'string', facet: true },
])

async function openShop(): Promise<ServicePorts & AsyncDisposable> {
  const clock = { now: () => 0 }
  const catalog = await openEmbeddedCatalog(undefined, { clock })
  const ports = { ...catalog, ...servicePortsOver(catalog, clock) }
  await ports.writer.createStore({ name: 'Shop', id: 'shop' })
  await ports.writer.changeSchema('shop', 'additive', FIELDS)
  const documents = ['red shoe', 'red boot', 'blue shoe', 'green tent', 'red tent', 'red shoes']
  await ports.writer.writeDocuments(
    'shop',
    documents.map((title, i) => upsert(`d${i}`, JSON.stringify({ title, colour: 'red' }))),
  )
  return ports
}

const GENERATIONS = 50

// Goal: preset, schema, sets and rules of one search are from one moment. Method: each read of a
// port shows the next generation of the store, in which all names have its number.
test('a search sees one generation despite concurrent writes', async () => {
  await using ports = await openShop()
  const generations: Pick<ServicePorts, 'backend' | 'resources'>[] = []
  for (let n = 0; n < GENERATIONS; n++) {
    const facet = checkSchemaFields([{ name: `f${n}`, type: 'string', facet: true }])
    await ports.writer.changeSchema('shop', 'replace', [...FIELDS, ...facet])
    const resources = {
      preset: { name: 'p', value: { value: { per_page: n, facet_by: `f${n}` } } },
      rule: { name: 'r', value: { when: [{}], enabled: true, metadata: { n } } },
      synonymSet: { name: 's', value: { items: [], default: false } },
    } as const
    const puts = Object.entries(resources).map(([kind, { name, value }]) => ({
      kind: kind as keyof typeof resources,
      name,
      json: JSON.stringify(value),
    }))
    await ports.writer.changeResources('shop', { puts, removes: [] })
    const [view, of] = [ports.backend.view('shop'), ports.resources.of('shop')]
    generations.push({ backend: { view: () => view }, resources: { of: () => of } })
  }
  let generation = -1
  const next = () => generations[++generation]!
  const watched: ServicePorts = {
    ...ports,
    backend: { view: (storeId) => next().backend.view(storeId) },
    resources: { of: (storeId) => next().resources.of(storeId) },
    registry: {
      find: (storeId) => (next(), ports.registry.find(storeId)),
      list: () => (next(), ports.registry.list()),
      statistics: (storeId) => (next(), ports.registry.statistics(storeId)),
    },
  }
  for (let round = 0; round < 3; round++) {
    const before = generation
    const { json } = await search(watched, 'shop', { q: '*', preset_name: 'p' })
    const answer = JSON.parse(String(json))
    const seen = answer.metadata.n
    assert.ok(seen > before && seen <= generation)
    assert.equal(answer.per_page, seen)
    assert.deepEqual(Object.keys(answer.facets), [`f${seen}`])
  }
})

test('the words of a query are analysed once for rules, plan and corrections', async () => {
  await using shop = await openShop()
  const own = shop.backend.view('shop')!.analyzer
  const analysed: string[] = []
  const analyzer: Analyzer = {
    ...own,
    analyze: (text) => {
      analysed.push(text)
      return own.analyze(text)
    },
    fold: (text) => own.fold(text),
    stem: (form) => own.stem(form),
    isStopword: (form) => own.isStopword(form),
  }
  const ports: ServicePorts = {
    ...shop,
    backend: { view: (storeId) => ({ ...shop.backend.view(storeId)!, analyzer }) },
  }
  await putSynonymSet(ports, 'shop', 's', {
    items: [{ synonyms: ['boot', 'wellington'] }],
    default: true,
  })
  await putPreset(ports, 'shop', 'p', { value: { include_suggestions: true } })
  await putRule(ports, 'shop', 'r', {
    when: [{ query: 'red', match: 'contains' }],
    remove_words: ['cheap'],
  })
  // Compiled rules and sets are cached.
  await search(ports, 'shop', { q: 'red', preset_name: 'p' })
  for (const q of ['red shoo', 'red tnet']) {
    analysed.length = 0
    await search(ports, 'shop', { q, preset_name: 'p' })
    assert.equal(analysed.filter((text) => text === q).length, 1, q)
  }
})
