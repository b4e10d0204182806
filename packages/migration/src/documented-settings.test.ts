import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Material } from './material.ts'
import { migrate, type Engine } from './migrate.ts'
import type { Migration } from './migration.ts'
import { SourceError } from './source-error.ts'
import { ALGOLIA_DOCUMENTED } from './test/documented-algolia.ts'
import { MEILISEARCH_DOCUMENTED } from './test/documented-meilisearch.ts'
import { OPENSEARCH_DOCUMENTED } from './test/documented-opensearch.ts'
import { TYPESENSE_DOCUMENTED } from './test/documented-typesense.ts'
import type { Documented } from './test/documented.ts'

// Goal: no setting of an export is lost silently. Method: each documented setting of the four
// engines is added to a small export, with a value other than its default; the result must differ
// from the result without it, as the table says. A setting that no documentation has
// (`somethingNew`) must be reported.

const ROWS = [
  { title: 'Desk lamp', keywords: 'reading', brand: 'A', sku: 'x', price: 5, stock: 1, cost: 2 },
  { title: 'Floor lamp', keywords: 'standing', brand: 'B', sku: 'y', price: 9, stock: 3, cost: 4 },
]
const sampleOf = (member: string): string[] =>
  ROWS.map((row, i) => JSON.stringify({ [member]: String(i), ...row }))

type Members = Readonly<Record<string, unknown>>

/** An export with an added member. */
type Exported = (where: string, member: Members) => Material

const algolia: Exported = (where, member) => {
  const at = (place: string): Members => (where === place ? member : {})
  const parameters = at('parameter')
  const consequence = {
    hide: [{ objectID: '9' }],
    ...(Object.keys(parameters).length === 0 ? {} : { params: parameters }),
    ...at('consequence'),
  }
  const first = { pattern: 'light', anchoring: 'is', context: 'first', ...at('condition') }
  const searched = 'attributesToIndex' in member ? 'attributesToIndex' : 'searchableAttributes'
  const conditions = 'condition' in at('rule') ? {} : { conditions: [first] }
  return {
    sample: sampleOf('objectID'),
    parts: {
      settings: { [searched]: ['title'], ...at('settings') },
      rules: [{ objectID: 'r', ...conditions, consequence, ...at('rule') }],
      synonyms: [{ objectID: 's', type: 'synonym', synonyms: ['lamp', 'light'], ...at('synonym') }],
    },
  }
}

const meilisearch: Exported = (where, member) => {
  const at = (place: string): Members => (where === place ? member : {})
  const inside = ['typoTolerance', 'faceting', 'pagination'].includes(where)
  return {
    sample: sampleOf('id'),
    parts: {
      settings: {
        searchableAttributes: ['title'],
        displayedAttributes: ['*'],
        ...at('settings'),
        ...(inside ? { [where]: member } : {}),
      },
      index: { primaryKey: 'id', ...at('index') },
    },
  }
}

const typesense: Exported = (where, member) => {
  const at = (place: string): Members => (where === place ? member : {})
  const fields = [
    { name: 'title', type: 'string' },
    { name: 'price', type: 'float' },
    { name: 'brand', type: 'string', ...at('field') },
  ]
  const linked = where === 'collection' && Object.keys(member).some((one) => one.endsWith('_sets'))
  const override = { id: 'o', rule: { query: 'lamp', match: 'exact' }, excludes: [{ id: '9' }] }
  return {
    sample: sampleOf('id'),
    parts: {
      collection: { fields, ...at('collection') },
      ...(linked
        ? {}
        : {
            synonyms: [{ id: 's', synonyms: ['lamp', 'light'], ...at('synonym') }],
            overrides: [{ ...override, ...at('override') }],
          }),
      stopwords: [{ id: 'common', stopwords: ['please'], ...at('stopwords') }],
      presets: [{ name: 'p', value: { q: 'lamp', ...at('preset'), ...at('presetValue') } }],
    },
  }
}

const opensearch: Exported = (where, member) => {
  const at = (place: string): Members => (where === place ? member : {})
  const analysis = {
    ...at('analysis'),
    ...(where === 'filter' ? { filter: member } : {}),
  }
  const properties = { title: { type: 'text', ...at('field') }, price: { type: 'double' } }
  const index = Object.keys(analysis).length === 0 ? at('settings') : { analysis }
  return {
    sample: sampleOf('_id'),
    parts: {
      index: {
        mappings: { properties, ...at('mappings') },
        settings: { index },
        ...at('index'),
      },
    },
  }
}

const ENGINES: readonly (readonly [Engine, Exported, readonly Documented[]])[] = [
  ['algolia', algolia, ALGOLIA_DOCUMENTED],
  ['meilisearch', meilisearch, MEILISEARCH_DOCUMENTED],
  ['typesense', typesense, TYPESENSE_DOCUMENTED],
  ['opensearch', opensearch, OPENSEARCH_DOCUMENTED],
]

const configurationOf = ({ configuration: { schema, settings, resources } }: Migration): string =>
  JSON.stringify([schema, settings, [...resources].map(([kind, named]) => [kind, [...named]])])
const notesOf = ({ notes }: Migration): string[] =>
  notes.map(({ about, note }) => `${about}: ${note}`)

for (const [engine, exported, documented] of ENGINES) {
  suite(`documented settings of ${engine}`, () => {
    const before = migrate(engine, exported('', {}))

    for (const [where, name, value, outcome] of documented) {
      const shown = JSON.stringify(value).slice(0, 60)
      test(`${where} ${name}: ${shown} is ${outcome}`, () => {
        const material = exported(where, { [name]: value })
        if (outcome === 'refused') {
          assert.throws(() => migrate(engine, material), SourceError)
          return
        }
        const after = migrate(engine, material)
        const known = new Set(notesOf(before))
        const more = notesOf(after).filter((note) => !known.has(note))
        const isOther = configurationOf(after) !== configurationOf(before)
        if (outcome === 'carried') assert.ok(isOther, more.join('\n'))
        else if (outcome === 'reported') assert.ok(more.length > 0, 'not reported')
        else assert.deepEqual([isOther, more], [false, []])
      })
    }
  })
}
