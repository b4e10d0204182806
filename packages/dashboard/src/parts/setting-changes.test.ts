import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { GivenSettings } from '@aisle/contract'
import {
  changedValues,
  differencesBetween,
  linesOf,
  patchOf,
  valueAt,
  valueOfLines,
  valuesOf,
} from './setting-changes.ts'
import { SETTING_FIELDS } from './setting-fields.ts'

suite('the settings of a store', () => {
  test('every setting of the contract has a control', () => {
    const paths = Object.entries(GivenSettings.properties).flatMap(([group, schema]) => {
      // One is shown as an experiment, the other has a screen.
      if (group === 'popularity_trial' || group === 'facet_display') return []
      const members = (schema as { properties?: object }).properties
      return members === undefined
        ? [group]
        : Object.keys(members).map((name) => `${group}.${name}`)
    })
    assert.deepEqual(SETTING_FIELDS.map(({ path }) => path).toSorted(), paths.toSorted())
  })

  test('a patch names what was changed, and nothing else', () => {
    const paths = ['cache.ttl_seconds', 'cache.max_bytes', 'language', 'identity']
    const saved = valuesOf({ cache: { ttl_seconds: 60, max_bytes: 5 } }, paths)
    assert.deepEqual(saved, {
      'cache.ttl_seconds': 60,
      'cache.max_bytes': 5,
      language: null,
      identity: null,
    })
    const edited = {
      ...saved,
      'cache.ttl_seconds': 30,
      'cache.max_bytes': null,
      language: 'de',
    }
    assert.deepEqual(patchOf(changedValues(saved, edited)), {
      cache: { ttl_seconds: 30, max_bytes: null },
      language: 'de',
    })
    assert.deepEqual(changedValues(saved, { ...edited, ...saved }), {})
  })

  test('lines become lists, orders and weights, and come back', () => {
    assert.deepEqual(valueOfLines('cors_origins', ' https://a.example \n\n*'), [
      'https://a.example',
      '*',
    ])
    assert.equal(valueOfLines('cors_origins', ' \n'), null)
    assert.equal(valueOfLines('ranking.sort_by', 'price:asc\n_text_match'), 'price:asc,_text_match')
    const weights = { title: 5, 'a:b': 2 }
    const lines = linesOf('ranking.field_weights', weights)
    assert.deepEqual(valueOfLines('ranking.field_weights', lines), weights)
    assert.deepEqual(valueOfLines('ranking.field_weights', 'title: x\nbrand\nsize:'), {
      title: 'x',
      brand: null,
      size: '',
    })
  })

  test('a number of the shop is one member a line', () => {
    const numeric = { field: 'added', weight: 0.2, shape: 'decay', scale: '30d', origin: 'now' }
    const lines = linesOf('ranking.numeric', numeric)
    assert.deepEqual(valueOfLines('ranking.numeric', lines), numeric)
    assert.deepEqual(valueOfLines('ranking.numeric', 'origin: 2026-11-24T08:00:00Z\nfield'), {
      origin: '2026-11-24T08:00:00Z',
      field: '',
    })
    assert.equal(valueOfLines('ranking.numeric', ''), null)
  })

  test('versions differ by path, lists as a whole', () => {
    const before = { cors_origins: ['a'], cache: { ttl_seconds: 1 } }
    const after = { cors_origins: ['a', 'b'], cache: { ttl_seconds: 1 } }
    const paths = ['cors_origins', 'cache.ttl_seconds', 'language']
    assert.deepEqual(differencesBetween(before, after, paths), [
      { path: 'cors_origins', before: ['a'], after: ['a', 'b'] },
    ])
    assert.equal(valueAt(before, 'cache.ttl_seconds'), 1)
    assert.equal(valueAt(before, 'language.none'), undefined)
  })
})
