import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import type { Schema } from '@aisle/engine'
import { CandidateCache } from './candidate-cache.ts'

const field = { type: 'string', searchable: true, facet: false, sort: false } as const
const SCHEMA: Schema = { fields: [{ ...field, name: 'title' }] }
const HOW = { schema: SCHEMA, analyzer: createAnalyzer('en') }

function candidate(docKey: number, title = 'Red shoe') {
  return { docKey, id: `p${docKey}`, json: JSON.stringify({ title }) }
}

suite('Kept candidates', () => {
  test('a document is analysed once, and again with another schema', () => {
    const kept = new CandidateCache().of('1a')
    kept.add(candidate(1))
    const first = kept.read(kept.get(1)!, true, HOW)
    assert.deepEqual(first.titleWords, ['red', 'shoe'])
    assert.equal(kept.read(kept.get(1)!, true, HOW), first)
    const wider: Schema = { fields: [{ ...field, name: 'title', searchable: false }] }
    const other = kept.read(kept.get(1)!, true, { ...HOW, schema: wider })
    assert.deepEqual(other.tokens, [[]])
  })

  test('words are not looked at where nothing needs them', () => {
    const kept = new CandidateCache().of('1a')
    kept.add(candidate(1))
    const { values, tokens } = kept.read(kept.get(1)!, false, HOW)
    assert.deepEqual(values, ['Red shoe'])
    assert.deepEqual(tokens, [])
  })

  test('documents of another scope are other ones', () => {
    const cache = new CandidateCache()
    cache.of('1a').add(candidate(1))
    assert.equal(cache.of('1b').get(1), undefined)
    assert.equal(cache.of('1a').get(1)!.id, 'p1')
  })

  test('never takes more than its bytes: those that were not found for the longest time go', () => {
    const cache = new CandidateCache(20_000)
    const kept = cache.of('1a')
    for (let docKey = 0; docKey < 200; docKey++) {
      const added = kept.add(candidate(docKey, 'a word '.repeat(10)))
      kept.read(added, true, HOW)
      kept.get(0)
      assert.ok(cache.bytes <= 20_000)
    }
    assert.ok(cache.bytes > 10_000)
    assert.ok(kept.get(0) !== undefined)
    assert.equal(kept.get(1), undefined)
    assert.ok(kept.get(199) !== undefined)
  })

  test('a document that is larger than all of it is read, and not kept', () => {
    const cache = new CandidateCache(1_000)
    const kept = cache.of('1a')
    const large = kept.add(candidate(1, 'shoe '.repeat(1_000)))
    assert.equal(kept.get(1), undefined)
    assert.equal(cache.bytes, 0)
    assert.deepEqual(kept.read(large, true, HOW).titleWords, ['shoe'])
  })
})
