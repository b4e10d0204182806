import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { hasBit } from '../codec/bitset.ts'
import type { Schema } from '../schema/schema.ts'
import { USUAL_BEGINNINGS } from './beginnings.ts'
import { buildSegment } from './segment-builder.ts'
import { ALL_BEGINNINGS, mergeContextOf, targetOf } from './segment-for-test.ts'
import { mergeSegments } from './segment-merger.ts'
import { SegmentReader } from './segment-reader.ts'

const schema: Schema = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
}
/** Words with two prefixes and one stem, and letters outside the Basic Multilingual Plane. */
const WORDS = 'go goes went knife knives child children red r re 5 55 𐐨𐐩 𐐨 straße été'.split(' ')

const arbitraryTitles = fc.array(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(' ')),
  { minLength: 1, maxLength: 40, size: 'max' },
)

function mergedOf(titles: readonly string[], rule = ALL_BEGINNINGS) {
  const target = targetOf(schema)
  const documents = titles.map((title, i) => ({ docKey: i + 1, id: `${i}`, values: [title] }))
  const half = Math.ceil(documents.length / 2)
  const parts = [documents.slice(0, half), documents.slice(half)]
  const sources = parts.map((part) => ({ buffer: buildSegment(target, part).buffer }))
  const context = mergeContextOf(target)
  const reader = new SegmentReader(mergeSegments({ ...context, beginnings: rule }, sources))
  return { reader, target, context }
}

suite('prefixes of a merged segment', () => {
  test('each has the documents with a word of the prefix, except those of the prefix as a stem', () => {
    const fold = (word: string) => targetOf(schema).analyzer.fold(word)
    fc.assert(
      fc.property(arbitraryTitles, (titles) => {
        const { reader, context } = mergedOf(titles)
        const { terms, stem } = context
        const words = titles.map((title) => title.split(' ').filter(Boolean).map(fold))
        const begun = words.flat().flatMap((word) => [1, 2].map((n) => [...word].slice(0, n)))
        for (const beginning of new Set(begun.map((letters) => letters.join('')))) {
          const own = terms.find(stem(beginning))
          const ownGroup = own >= 0 && reader.listOf(own) >= 0 ? own : -1
          const bits = reader.beginnings.of(beginning, ownGroup)!
          assert.ok(bits, beginning)
          words.forEach((those, docOrd) => {
            const isBegun = those.some(
              (word) => word.startsWith(beginning) && terms.groupOf(terms.find(word)) !== own,
            )
            assert.equal(hasBit(bits, docOrd), isBegun, `"${beginning}" in "${titles[docOrd]}"`)
          })
          assert.equal(reader.beginnings.of(beginning, ownGroup + 1), undefined)
        }
      }),
      { numRuns: 150 },
    )
  })

  test('only the most expensive are kept, and none in small segments', () => {
    const titles = Array.from(
      { length: 20 },
      (_, i) => `sun s${'aeiou'[i % 5]}n ${i === 3 ? 'moon' : ''}`,
    )
    assert.equal(mergedOf(titles, USUAL_BEGINNINGS).reader.beginnings.of('s', -1), undefined)
    const rule = { docCountMin: 20, postingsPerDocumentMin: 7, beginningsMax: 2 }
    const { beginnings } = mergedOf(titles, rule).reader
    const kept = ['s', 'su', 'sa', 'm', 'mo'].filter((text) => beginnings.of(text, -1))
    assert.deepEqual(kept, ['s', 'su'])
  })
})
