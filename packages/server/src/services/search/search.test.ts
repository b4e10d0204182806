import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer, type Analyzer } from '@aisle/engine'
import { createMemoryCatalog } from '../../adapters/memory/memory-catalog.ts'
import { createMemoryEventLog } from '../../adapters/memory/memory-event-log.ts'
import { createMemoryReports } from '../../adapters/memory/memory-reports.ts'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { upsert } from '../../ports/catalog-fixture.ts'
import type { ServicePorts } from '../service-ports.ts'
import { putRule } from '../store/put-rule.ts'
import { putSynonymSet } from '../store/put-sets.ts'
import { putPreset } from './put-preset.ts'
import { search } from './search.ts'

const FIELDS = checkSchemaFields([
  { name: 'title', type: 'string', searchable: true },
  { name: 'colour', type: 'string', facet: true },
])

async function openShop(analyzer: Analyzer = createAnalyzer()): Promise<ServicePorts> {
  const clock = { now: () => 0 }
  const events = createMemoryEventLog()
  const ports = {
    ...createMemoryCatalog({ clock, analyzer }),
    clock,
    events,
    reports: createMemoryReports(events),
    suggestions: { of: () => Promise.resolve(undefined), popularity: () => undefined },
  }
  await ports.writer.createStore({ name: 'Shop', id: 'shop' })
  await ports.writer.changeSchema('shop', 'additive', FIELDS)
  const documents = ['red shoe', 'red boot', 'blue shoe', 'green tent', 'red tent', 'red shoes']
  await ports.writer.writeDocuments(
    'shop',
    documents.map((title, i) => upsert(`d${i}`, JSON.stringify({ title, colour: 'red' }))),
  )
  return ports
}

// Goal: preset, schema, sets and rules of one search are from one moment. Method: everything
// changes between any two reads of a port, each time to names with the number of the change.
test('a search sees one generation, whatever is written while it looks', async () => {
  const ports = await openShop()
  let generation = 0
  const change = (): void => {
    const n = ++generation
    const facet = checkSchemaFields([{ name: `f${n}`, type: 'string', facet: true }])
    const { writer } = ports
    // In memory, a write is complete when the call returns.
    void writer.changeSchema('shop', 'replace', [...FIELDS, ...facet])
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
    void writer.changeResources('shop', { puts, removes: [] })
  }
  const looking = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...args: unknown[]): unknown => {
          change()
          return Reflect.apply(member, target, args)
        }
      },
    })
  const watched = {
    ...ports,
    backend: looking(ports.backend),
    resources: looking(ports.resources),
    registry: looking(ports.registry),
  }
  change()
  for (let round = 0; round < 3; round++) {
    const before = generation
    const { json } = await search(watched, 'shop', { q: '*', preset_name: 'p' })
    const answer = JSON.parse(String(json))
    const seen = answer.metadata.n
    assert.ok(generation > before && seen > before)
    assert.equal(answer.per_page, seen)
    assert.deepEqual(Object.keys(answer.facets), [`f${seen}`])
  }
})

test('the words of a query are analysed once, though rules, plan and corrections ask for them', async () => {
  const own = createAnalyzer()
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
  const ports = await openShop(analyzer)
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
