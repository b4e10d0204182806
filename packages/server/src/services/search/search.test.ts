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
import { soloPace } from './request-pace.ts'
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
  const boots = { items: [{ synonyms: ['boot', 'wellington'] }], default: true }
  await putSynonymSet(ports, 'shop', 's', boots, undefined, soloPace())
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

// Goal: a store with many rules and synonyms does not hold the thread after a change of them.
// Method: every turn is over at once; the answers of searches that wait for each other are those of
// one turn.
test('rules and sets are compiled in turns, once for all searches that wait for them', async () => {
  await using ports = await openShop()
  const items = Array.from({ length: 200 }, (_, i) => ({ synonyms: [`word${i}`, `like${i}`] }))
  items.push({ synonyms: ['camp', 'tent'] })
  let rests = 0
  const pace = {
    ...soloPace(),
    isDue: () => true,
    rest: async () => {
      rests++
      await new Promise(setImmediate)
    },
  }
  await putSynonymSet(ports, 'shop', 's', { items, default: true }, undefined, pace)
  assert.ok(rests >= items.length, `${rests} rests of the check`)
  for (let i = 0; i < 100; i++) {
    await putRule(ports, 'shop', `r${i}`, {
      when: [{ query: `offer${i}`, match: 'contains' }],
      metadata: { n: i },
    })
  }
  rests = 0
  const answers = await Promise.all(
    [1, 2, 3].map(() => search(ports, 'shop', { q: 'camp offer7' }, pace)),
  )
  const compiled = rests
  assert.ok(compiled >= items.length + 100, `${compiled} rests`)
  assert.ok(compiled < 2 * (items.length + 100), `${compiled} rests of three searches`)
  for (const { json, appliedRules } of answers) {
    assert.deepEqual(appliedRules, ['r7'])
    assert.equal(JSON.parse(String(json)).found, 2)
  }
})
