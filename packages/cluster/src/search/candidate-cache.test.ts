import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import type { Schema } from '@aisle/engine'
import { WordFinder } from '../opensearch/word-finder.ts'
import { CandidateCache } from './candidate-cache.ts'
import type { Candidate, KeptCandidates } from './candidate-cache.ts'

const field = { type: 'string', searchable: true, facet: false, sort: false } as const
const SCHEMA: Schema = { fields: [{ ...field, name: 'title' }] }
const HOW = { schema: SCHEMA, analyzer: createAnalyzer('en') }
const WORDS = { words: true, values: false, vectors: false }
const VALUES = { words: false, values: true, vectors: false }
const ALL = { finder: undefined, inserted: 1 }

function source(docKey: number, title = 'Red shoe') {
  return { docKey, source: { id: `p${docKey}`, json: JSON.stringify({ title }) } }
}

function allOf(kept: KeptCandidates, candidate: Candidate) {
  return kept.read(candidate, { ...HOW, needed: WORDS, ...ALL })
}

function stemsOf(kept: KeptCandidates, candidate: Candidate): string[] {
  return allOf(kept, candidate).tokens[0]!.map(({ stem }) => stem)
}

suite('Kept candidates', () => {
  test('words and values of a document are kept, its JSON is not', () => {
    const kept = new CandidateCache().of('1a')
    const added = kept.add(source(1), HOW)
    assert.ok(kept.has(added, { words: true, values: true, vectors: false }, HOW))
    const { id, values } = allOf(kept, kept.get(1)!)
    assert.deepEqual([id, values], ['p1', []])
    assert.deepEqual(stemsOf(kept, kept.get(1)!), ['red', 'shoe'])
    assert.deepEqual(kept.read(added, { ...HOW, needed: VALUES, ...ALL }).values, ['Red shoe'])
  })

  test('values are read again with another schema', () => {
    const kept = new CandidateCache().of('1a')
    const added = kept.add(source(1), HOW)
    const wider = { ...HOW, schema: { fields: [...SCHEMA.fields, { ...field, name: 'brand' }] } }
    assert.ok(!kept.has(added, VALUES, wider))
    assert.ok(kept.has(added, WORDS, wider))
    kept.add({ docKey: 1, source: { id: 'p1', json: '{"title":"A","brand":"B"}' } }, wider)
    assert.deepEqual(kept.read(added, { ...wider, needed: VALUES, ...ALL }).values, ['A', 'B'])
  })

  test('only words that are looked for are read', () => {
    const kept = new CandidateCache().of('1a')
    const added = kept.add(source(1), HOW)
    const finder = new WordFinder({ stems: new Set(['shoe']), forms: new Set() })
    const { tokens, rest } = kept.read(added, { ...HOW, needed: WORDS, ...ALL, finder })
    assert.deepEqual(
      tokens[0]!.map(({ form, position }) => [form, position]),
      [['shoe', 1]],
    )
    assert.deepEqual(rest!.lengths, [2])
  })

  test('words of a version that is not known are made of the JSON', () => {
    const kept = new CandidateCache().of('1a')
    const words = Buffer.from([99, 1]).toString('base64')
    assert.ok(!kept.has(kept.add({ docKey: 1, words }, HOW), WORDS, HOW))
    const added = kept.add({ ...source(1), words }, HOW)
    assert.deepEqual(stemsOf(kept, added), ['red', 'shoe'])
  })

  test('documents of another scope are other ones', () => {
    const cache = new CandidateCache()
    cache.of('1a').add(source(1), HOW)
    assert.equal(cache.of('1b').get(1), undefined)
    assert.equal(cache.of('1a').get(1)!.docKey, 1)
  })

  test('never takes more than its bytes: those that were not found for the longest time go', () => {
    const cache = new CandidateCache(20_000)
    const kept = cache.of('1a')
    for (let docKey = 0; docKey < 200; docKey++) {
      kept.add(source(docKey, 'a word '.repeat(10)), HOW)
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
    const large = kept.add(source(1, 'shoe '.repeat(1_000)), HOW)
    assert.equal(kept.get(1), undefined)
    assert.equal(cache.bytes, 0)
    assert.equal(stemsOf(kept, large).length, 1_000)
  })
})
