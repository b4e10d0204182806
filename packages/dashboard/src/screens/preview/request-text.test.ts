import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SearchParameters } from '@aisle/contract'
import { isInitial, parameterText } from '../../parts/parameter-text.ts'
import { controlOf, PARAMETER_GROUPS, withStoreDefault } from '../../parts/parameters.ts'
import { givenParameters, previewRequest, withInterval } from './request-text.ts'

interface Property {
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly string[]
}

suite('the parameters of the preview', () => {
  const all = PARAMETER_GROUPS.flatMap(({ parameters }) => parameters)

  test('every parameter of a search has a control', () => {
    assert.deepEqual(
      all.map(({ name }) => name).toSorted(),
      Object.keys(SearchParameters.properties)
        .filter((name) => name !== 'q')
        .toSorted(),
    )
  })

  test('their defaults and limits are those of the contract', () => {
    for (const { name, control } of all) {
      const property = SearchParameters.properties[name] as Property
      if ('initial' in control && property.default !== undefined) {
        assert.equal(control.initial, property.default, name)
      }
      if (control.kind === 'choice') {
        assert.deepEqual(control.options.toSorted(), property.enum?.toSorted(), name)
      }
      if (control.kind !== 'number') continue
      assert.equal(control.min, property.minimum, name)
      if (property.maximum !== undefined) assert.ok(control.max <= property.maximum, name)
    }
  })

  test('the default of a control is what the store has set', () => {
    const defaults = { min_relevance: 0.7, prefix_mode: 'off', require_all_terms: 'auto' }
    const initial = (name: string): unknown => {
      const control = withStoreDefault(name, controlOf(name)!, defaults)
      return 'initial' in control ? control.initial : undefined
    }
    assert.equal(initial('min_relevance'), 0.7)
    assert.equal(initial('prefix_mode'), 'off')
    assert.equal(initial('typo_max'), 2)
    // 0 is not the default then, and is sent.
    assert.equal(isInitial('min_relevance', 0, defaults), false)
    assert.equal(isInitial('min_relevance', 0.7, defaults), true)
    assert.equal(isInitial('min_relevance', 0, undefined), true)
  })

  test('what the address says is what was set', () => {
    const given = {
      typo_max: 0,
      typo_numbers: true,
      prefix_mode: 'off',
      filters: { brand: ['A, B'], price: { min: 3 } },
      rule_contexts: ['a', 'b'],
      synonym_sets: [],
      return_fields: ['a,b'],
      sort_by: 'price:asc',
    }
    const address = new URLSearchParams(
      Object.entries(given).map(([name, value]): [string, string] => [name, parameterText(value)]),
    )
    assert.deepEqual(givenParameters(address), given)
  })

  test('what is malformed in the address is left out', () => {
    const address = new URLSearchParams('typo_max=x&filters={&synonym_sets=[1]&typo_numbers=1&q=a')
    assert.deepEqual(givenParameters(address), {})
  })

  test('a shop asks for facets, unless others are set', () => {
    const fields = [
      { name: 'brand', type: 'string' },
      { name: 'specs.added', type: 'date' },
    ]
    assert.deepEqual(previewRequest('', { per_page: 5 }, fields), {
      q: '*',
      per_page: 5,
      facet_by: 'brand,"specs.added"(interval:year)',
      facet_mode: 'disjunctive',
    })
    assert.deepEqual(previewRequest('tent', {}, []), { q: 'tent', per_page: 24 })
  })

  test('a date is counted by another interval in place', () => {
    const text = 'price(low:[0,5],high:[5,]), added(interval:year, time_zone:Europe/Berlin),brand'
    assert.deepEqual(withInterval(text, 'added', 'month'), [
      'price(low:[0,5],high:[5,])',
      'added(interval:month)',
      'brand',
    ])
    assert.deepEqual(withInterval(['brand', 'a.b'], 'a.b', 'day'), ['brand', '"a.b"(interval:day)'])
    assert.deepEqual(withInterval(undefined, 'added', 'week'), ['added(interval:week)'])
  })
})
