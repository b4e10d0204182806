import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { SectionWriter } from '../codec/section-file.ts'
import { SEGMENT_MAGIC } from '../segment/segment-format.ts'
import { SegmentReader } from '../segment/segment-reader.ts'
import { writePositions } from './positions.ts'
import { PostingsWriter } from './postings-writer.ts'

interface Posting {
  readonly docOrd: number
  readonly code: number
  readonly mask: number
}

/** Posting lists by group, in a segment of `docCount` documents. */
function segmentOf(
  lists: ReadonlyMap<number, readonly Posting[]>,
  docCount: number,
): SegmentReader {
  const writer = new PostingsWriter(8)
  for (const [group, postings] of lists) {
    writer.beginList(group)
    for (const { docOrd, code, mask } of postings) {
      const output = writer.addPosting(docOrd, code, mask)
      const at = Uint32Array.of(docOrd)
      writePositions(
        output,
        new Uint32Array(1),
        at,
        new Uint32Array(1),
        new Uint8Array(1),
        1,
        false,
      )
    }
    writer.endList()
  }
  const sections = new SectionWriter()
  sections.add(
    'docKeys',
    Float64Array.from({ length: docCount }, (_, i) => i),
  )
  writer.finish(sections)
  let codeMax = 0
  for (const postings of lists.values()) {
    for (const { code } of postings) codeMax = Math.max(codeMax, code)
  }
  sections.add('impacts', new Uint8Array(codeMax + 1).fill(1))
  return new SegmentReader(sections.finish(SEGMENT_MAGIC, { docCount, textFields: [0] }))
}

function postingsOf(reader: SegmentReader, group: number): Posting[] {
  const list = reader.listOf(group)
  const postings: Posting[] = []
  if (list < 0) return postings
  reader.forEachPosting(list, (docOrd, posting) => {
    const [occurrence] = reader.occurrencesOf(posting)
    assert.equal(occurrence!.position, docOrd, 'the positions of this posting')
    assert.equal(reader.postingOf(list, docOrd), posting)
    postings.push({ docOrd, code: reader.codes[posting]!, mask: reader.formMask(list, posting) })
  })
  return postings
}

/** Documents in several windows of 65,536, most of them at window borders. */
const docOrd = fc.oneof(fc.nat(200), fc.constantFrom(65_535, 65_536, 131_071), fc.nat(199_999))
const mask = fc.oneof(
  fc.constantFrom(1, 2, 4, 3),
  fc.constantFrom(128, 255, 256, 257, 2 ** 30, 2 ** 30 + 1),
)
const arbitraryList = (masks: fc.Arbitrary<number>) =>
  fc
    .uniqueArray(fc.record({ docOrd, code: fc.nat(900), mask: masks }), {
      minLength: 1,
      maxLength: 80,
      selector: (posting) => posting.docOrd,
    })
    .map((postings) =>
      postings.map((posting) => ({ ...posting })).toSorted((a, b) => a.docOrd - b.docOrd),
    )

suite('postings', () => {
  test('lists are read as written', () => {
    const list = fc.oneof(
      arbitraryList(mask),
      mask.chain((one) => arbitraryList(fc.constant(one))),
    )
    const lists = fc
      .uniqueArray(fc.tuple(fc.nat(5_000), list), {
        maxLength: 12,
        selector: ([group]) => group,
      })
      .map((pairs) => new Map(pairs.toSorted(([a], [b]) => a - b)))
    fc.assert(
      fc.property(lists, (lists) => {
        const reader = segmentOf(lists, 200_001)
        for (const [group, postings] of lists) assert.deepEqual(postingsOf(reader, group), postings)
        assert.equal(lists.has(5_001) ? 0 : reader.listOf(5_001), -1)
        const [first] = lists.keys()
        if (first !== undefined) {
          assert.equal(reader.postingOf(reader.listOf(first), 200_000), -1)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('codes beyond 16 bits are kept whole', () => {
    const postings = [65_535, 65_536, 70_000].map((code, docOrd) => ({ docOrd, code, mask: 1 }))
    const reader = segmentOf(new Map([[3, postings]]), 3)
    assert.deepEqual(postingsOf(reader, 3), postings)
  })

  test('finds each list of a segment with many', () => {
    const lists = new Map(
      Array.from({ length: 5_000 }, (_, i) => [i * 3, [{ docOrd: i % 7, code: 0, mask: 1 }]]),
    )
    const reader = segmentOf(lists, 7)
    for (let group = -1; group < 15_010; group += 1) {
      assert.equal(reader.listOf(group) >= 0, lists.has(group), String(group))
    }
  })
})
