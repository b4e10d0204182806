import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEnglishPlural } from './english-plural.ts'

test('distinguishes singular and plural from other inflections', () => {
  const plurals = ['shoe shoes', 'box boxes', 'glass glasses', 'battery batteries', 'knife knives']
  const irregular = ['man mens', 'woman women', 'clothes clothing', 'tv tvs', 'bus busses']
  const same = ['potato potatoes', 'tie ties', 'lens lens']
  for (const pair of [...plurals, ...irregular, ...same]) {
    const [a, b] = pair.split(' ') as [string, string]
    assert.ok(isEnglishPlural(a, b) && isEnglishPlural(b, a), pair)
  }
  const apart = ['paint painting', 'paint painted', 'light lighting', 'drill drilling', 'hop hope']
  for (const pair of apart) {
    const [a, b] = pair.split(' ') as [string, string]
    assert.ok(!isEnglishPlural(a, b) && !isEnglishPlural(b, a), pair)
  }
})
