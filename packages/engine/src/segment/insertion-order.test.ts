import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { SectionReader, SectionWriter } from '../codec/section-file.ts'
import {
  docOrdInserted,
  insertedAt,
  insertedOf,
  mergeInsertions,
  openInsertions,
} from './insertion-order.ts'
import { SEGMENT_MAGIC } from './segment-format.ts'
import { insertionsOf } from './segment-for-test.ts'

suite('the order of insertion', () => {
  test('of documents that were never changed takes no bytes', () => {
    const order = insertionsOf([3, 5, 8], [3, 5, 8])
    assert.ok(order.keys instanceof Float64Array)
    assert.equal(order.docOrds, undefined)
  })

  test('of a catalog that was written again in its order takes 4 bytes a document', () => {
    const order = insertionsOf([11, 12, 13], [3, 5, 8])
    assert.deepEqual([...order.keys], [0, 2, 5])
    assert.deepEqual([order.base, order.docOrds], [3, undefined])
  })

  test('of docKeys far apart has all of their digits', () => {
    const order = insertionsOf([2 ** 40, 2 ** 40 + 1], [2 ** 40, 7])
    assert.deepEqual([...order.keys], [2 ** 40, 7])
    assert.deepEqual([...order.docOrds!], [1, 0])
  })

  test('of merged segments is that of their documents', () => {
    const documents = fc.record({ inserted: fc.nat(10_000), isLive: fc.boolean() })
    const input = fc.record({
      all: fc.uniqueArray(documents, { maxLength: 60, selector: ({ inserted }) => inserted }),
      ends: fc.array(fc.nat(60), { maxLength: 4 }),
      // With and without an order that differs from the docOrds.
      isSorted: fc.boolean(),
    })
    fc.assert(
      fc.property(input, ({ all, ends, isSorted }) => {
        if (isSorted) all.sort((a, b) => a.inserted - b.inserted)
        const cuts = [0, ...ends.filter((end) => end < all.length).sort((a, b) => a - b)]
        let docCount = 0
        const sources = cuts.map((cut, i) => {
          const part = all.slice(cut, cuts[i + 1])
          const docMap = Int32Array.from(part, ({ isLive }) => (isLive ? docCount++ : -1))
          const docKeys = part.map((_, docOrd) => 20_000 + cut + docOrd)
          const inserted = part.map((document) => document.inserted)
          return { docMap, insertions: insertionsOf(docKeys, inserted) }
        })
        const sections = new SectionWriter()
        const docKeys = Float64Array.from({ length: docCount }, (_, docOrd) => 20_000 + docOrd)
        mergeInsertions(docKeys, sources, sections)
        const bytes = new SectionReader(sections.finish(SEGMENT_MAGIC, {}), SEGMENT_MAGIC)
        const order = openInsertions(bytes, docKeys)
        const live = all.filter(({ isLive }) => isLive).map(({ inserted }) => inserted)
        const found = live.map((_, docOrd) => insertedOf(order, docOrd))
        assert.deepEqual(found, live)
        for (const [docOrd, key] of live.entries()) {
          assert.equal(docOrdInserted(order, key), docOrd)
        }
        assert.equal(docOrdInserted(order, 10_001), -1)
        const inOrder = live.map((_, place) => insertedOf(order, insertedAt(order, place)))
        assert.deepEqual(
          inOrder,
          live.toSorted((a, b) => a - b),
        )
      }),
    )
  })
})
