import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { leftOutOf } from './hidden-fields.ts'
import { migrate, type Engine } from './migrate.ts'

const SAMPLE = [
  {
    objectID: '1',
    title: 'Desk lamp',
    brand: 'A',
    cost: 2,
    margin: 0.4,
    price: 5,
    supplier: { name: 'Works', city: 'Bonn' },
  },
].map((row) => JSON.stringify(row))

function migrated(engine: Engine, settings: Readonly<Record<string, unknown>>) {
  const { configuration, notes } = migrate(engine, {
    sample: SAMPLE,
    parts: { settings, index: { primaryKey: 'objectID' } },
  })
  const { settings: own, schema = [], resources } = configuration
  return {
    omitted: (own as { omit_fields?: readonly string[] } | undefined)?.omit_fields,
    roles: (name: string) => {
      const { facet, sort } = schema.find((field) => field.name === name) ?? {}
      return { facet, sort }
    },
    defaults: resources.get('presets')?.get('defaults'),
    notes: notes.map(({ about, note }) => `${about}: ${note}`).join('\n'),
  }
}

suite('fields that the other engine hides', () => {
  test('are those missing from a list of shown fields', () => {
    const paths = ['title', 'cost', 'supplier', 'supplier.name', 'supplier.city']
    const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
      [['*'], []],
      [['*', '-cost'], ['cost']],
      [['*', '-supplier'], ['supplier']],
      [['*', '-supplier.city'], ['supplier.city']],
      [['title'], ['cost', 'supplier']],
      [
        ['title', 'supplier.name'],
        ['cost', 'supplier.city'],
      ],
      [['title', 'supplier'], ['cost']],
      [[], ['title', 'cost', 'supplier']],
    ]
    for (const [shown, hidden] of cases) {
      assert.deepEqual(leftOutOf(paths, shown), hidden, shown.join())
    }
  })

  test('are omitted by the store, and have only the roles named by the source', () => {
    const { omitted, roles, notes } = migrated('algolia', {
      attributesToRetrieve: ['*', '-cost', '-margin'],
      unretrievableAttributes: ['supplier.city'],
      customRanking: ['desc(margin)'],
    })
    assert.deepEqual(omitted, ['supplier.city', 'cost', 'margin'])
    assert.deepEqual(roles('cost'), { facet: undefined, sort: undefined })
    assert.deepEqual(roles('margin'), { facet: undefined, sort: true })
    assert.deepEqual(roles('price'), { facet: true, sort: true })
    assert.match(notes, /attributesToRetrieve: hides cost, margin: the setting `omit_fields`/)
    assert.match(notes, /can still filter or sort by margin, which can reveal values/)
  })

  test('exclude those that facets show anyway, if a list names the retrieved fields', () => {
    const { omitted, defaults } = migrated('algolia', {
      attributesToRetrieve: ['title', 'price'],
      attributesForFaceting: ['searchable(brand)', 'filterOnly(cost)'],
    })
    assert.deepEqual(omitted?.toSorted(), ['cost', 'margin', 'supplier'])
    assert.deepEqual(defaults, { value: { return_fields: ['title', 'price'] } })
  })

  test('are all fields that Meilisearch does not display', () => {
    const { omitted, roles } = migrated('meilisearch', {
      searchableAttributes: ['*'],
      displayedAttributes: ['title', 'brand', 'supplier.name'],
      filterableAttributes: ['cost'],
      sortableAttributes: ['price', 'cost'],
      rankingRules: ['words', 'margin:desc'],
    })
    assert.deepEqual(
      roles('margin'),
      { facet: undefined, sort: true },
      'otherwise the service refuses all settings',
    )
    assert.deepEqual(omitted, ['cost', 'margin', 'price', 'supplier.city'])
    assert.deepEqual(roles('cost'), { facet: true, sort: true })
  })

  test('are none if nothing is hidden', () => {
    assert.equal(migrated('algolia', { attributesToRetrieve: ['*'] }).omitted, undefined)
    const shown = { searchableAttributes: ['*'], displayedAttributes: ['*'] }
    assert.equal(migrated('meilisearch', shown).omitted, undefined)
  })
})
