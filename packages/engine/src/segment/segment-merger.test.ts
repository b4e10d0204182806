import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { newBitset, setBit } from '../codec/bitset.ts'
import { arbitrarySchema, arbitraryValues } from '../naive/generate.ts'
import { WINDOW_SIZE } from '../postings/postings-format.ts'
import type { Schema } from '../schema/schema.ts'
import { EmbeddedIndexForTest } from '../search/embedded-index-for-test.ts'
import { GOODS, goodsAnswers, goodsDocument } from '../search/goods-for-test.ts'
import { buildSegment } from './segment-builder.ts'
import { mergeContextOf, targetOf, wordsOf } from './segment-for-test.ts'
import { mergeSegments } from './segment-merger.ts'

/** Documents in up to four segments, some of them deleted. */
const arbitraryParts = arbitrarySchema().chain((schema) =>
  fc.record({
    schema: fc.constant(schema),
    parts: fc.array(
      fc.array(fc.record({ values: arbitraryValues(schema), isLive: fc.boolean() }), {
        minLength: 1,
        maxLength: 6,
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
)

const TITLES: Schema = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
}

/** Words in all, many and few documents, in several forms and positions. */
function titleOf(i: number): string {
  const often = i % 3 === 0 ? 'shoe shoes' : i % 5 === 0 ? 'shoes' : ''
  const rarely = i % 997 === 0 ? `${'tent '.repeat(i % 7)}${'x '.repeat(i % 400)}tents` : ''
  return `all ${often} ${rarely}`
}

suite('segment merger', () => {
  // Goal: merging is invisible. Method: compare with one segment built from the remaining
  // documents.
  test('a merged segment equals one segment of the live documents', () => {
    fc.assert(
      fc.property(arbitraryParts, ({ schema, parts }) => {
        const target = targetOf(schema)
        let nextKey = 1
        const survivors: Parameters<typeof buildSegment>[1][number][] = []
        const sources = parts.map((part) => {
          const documents = part.map(({ values }) => {
            const docKey = nextKey++
            return { docKey, id: `d${docKey}`, values }
          })
          const live = new SharedArrayBuffer(newBitset(part.length).byteLength)
          part.forEach(({ isLive }, i) => {
            if (!isLive) return
            setBit(new Uint32Array(live), i)
            survivors.push(documents[i]!)
          })
          const { buffer } = buildSegment(target, documents)
          return part.every(({ isLive }) => isLive) ? { buffer } : { buffer, live }
        })
        const merged = mergeSegments(mergeContextOf(target), sources)
        const whole = buildSegment(target, survivors).buffer
        assert.deepEqual(wordsOf(merged, target), wordsOf(whole, target))
      }),
      { numRuns: 80 },
    )
  })

  test('merges of merges equal one segment, columns included', () => {
    const documents = Array.from({ length: 240 }, (_, i) => goodsDocument(i + 1))
    const whole = new EmbeddedIndexForTest(GOODS)
    const steps = new EmbeddedIndexForTest(GOODS)
    for (const document of documents) {
      if (document.docKey % 5 !== 3) whole.add(document)
      steps.add(document)
      if (document.docKey % 40 === 0) steps.commit()
      if (document.docKey % 120 === 0) steps.merge()
      if (document.docKey % 5 === 3) steps.remove(document.docKey)
    }
    whole.commit()
    steps.merge()
    assert.equal(steps.writer.segments.length, 1)
    assert.deepEqual(goodsAnswers(steps.writer.snapshot()), goodsAnswers(whole.writer.snapshot()))
  })

  test('lists that then span two windows are merged completely', () => {
    const target = targetOf(TITLES)
    const documents = Array.from({ length: WINDOW_SIZE + 700 }, (_, i) => ({
      docKey: i + 1,
      id: `d${i + 1}`,
      values: [titleOf(i)],
    }))
    const parts = [documents.slice(0, 300), documents.slice(300, 65_000), documents.slice(65_000)]
    const sources = parts.map((part) => ({ buffer: buildSegment(target, part).buffer }))
    const merged = mergeSegments(mergeContextOf(target), sources)
    const whole = buildSegment(target, documents).buffer
    assert.deepEqual(wordsOf(merged, target), wordsOf(whole, target))
  })

  test('a segment without live documents merges into an empty one', () => {
    const target = targetOf(GOODS)
    const { buffer } = buildSegment(target, [goodsDocument(1), goodsDocument(2)])
    const live = new SharedArrayBuffer(4)
    const merged = mergeSegments(mergeContextOf(target), [{ buffer, live }])
    assert.deepEqual(wordsOf(merged, target), wordsOf(buildSegment(target, []).buffer, target))
  })
})
