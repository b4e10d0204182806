import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { changesFromDefaults, parsePreset, presetChanges } from './preset-values.ts'

suite('presets', () => {
  test('two versions differ in parameters, each with what it was and is', () => {
    assert.deepEqual(presetChanges({ a: 1, b: [1, 2], c: 'x' }, { a: 1, b: [2, 1], d: true }), [
      { name: 'b', kind: 'changed', before: '[1,2]', after: '[2,1]' },
      { name: 'c', kind: 'removed', before: '"x"' },
      { name: 'd', kind: 'added', after: 'true' },
    ])
  })

  test('what the defaults say anyway is not a difference from them', () => {
    assert.deepEqual(changesFromDefaults({ apply_rules: true, per_page: 10, typo_max: 1 }), [
      { name: 'typo_max', kind: 'changed', before: '2', after: '1' },
    ])
    assert.deepEqual(changesFromDefaults({ facet_by: 'brand' }), [
      { name: 'facet_by', kind: 'added', after: '"brand"' },
    ])
  })

  test('only a JSON object is a preset', () => {
    assert.equal(parsePreset('[1]'), undefined)
    assert.equal(parsePreset('{"a":'), undefined)
    assert.deepEqual(parsePreset('{"a":1}'), { a: 1 })
  })
})
