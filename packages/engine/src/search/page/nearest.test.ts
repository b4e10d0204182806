import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fillBits, newBitset, setBit } from '../../codec/bitset.ts'
import { arbitraryDistance, arbitraryPlace } from '../../naive/generate-places.ts'
import { sortDocuments } from '../../rescoring/sort.ts'
import { planForTest } from '../../naive/plan-for-test.ts'
import { tinyAnalyzer } from '../../naive/tiny-analyzer.ts'
import { packPlace } from '../../places/place.ts'
import type { SortKey } from '../../query/plan.ts'
import type { Schema } from '../../schema/schema.ts'
import type { SegmentForTest } from '../segments-for-test.ts'
import { segmentsForTest } from '../segments-for-test.ts'
import { finish } from '../view/steps.ts'
import { nearestOf } from './nearest.ts'
import { buildSortKeys } from './sort-keys.ts'

const NEVER = { checkDeadline: () => undefined }

const schema: Schema = {
  fields: [
    { name: 'title', type: 'string', searchable: true, facet: false, sort: true },
    { name: 'place', type: 'geopoint', searchable: false, facet: false, sort: false },
  ],
}

// Goal: growing circles lose no document among the k nearest. Method: in sets of any kind, the
// result includes the first k of the naive order with all ties.
test('finds the nearest in growing circles', () => {
  const input = fc.record({
    places: fc.array(fc.option(arbitraryPlace(), { freq: 20 }), {
      minLength: 60,
      maxLength: 300,
      size: 'max',
    }),
    key: arbitraryDistance([1]).map((key): SortKey => ({
      ...(key as Extract<SortKey, { kind: 'distance' }>),
      descending: false,
      missing: 'last',
    })),
    k: fc.integer({ min: 1, max: 30 }),
    step: fc.integer({ min: 1, max: 3 }),
  })
  let answers = 0
  fc.assert(
    fc.property(input, ({ places, key, k, step }) => {
      const rows = places.map((place) => ['x', place === null ? undefined : packPlace(place)])
      const [segment] = segmentsForTest(schema, [rows]) as [SegmentForTest]
      const column = segment.column(1)
      if (column === undefined) return
      const set = newBitset(rows.length)
      if (step === 1) fillBits(set, rows.length)
      const documents = segment.documents.filter((_, docOrd) => docOrd % step === 0)
      for (let docOrd = 0; docOrd < rows.length; docOrd += step) setBit(set, docOrd)
      const [source] = buildSortKeys([key], segment)
      const order = segment.valueOrder(1)
      const found = finish(nearestOf(set, documents.length, k, source!, column, order, NEVER, 0))
      if (found === undefined) return
      answers++
      const plan = planForTest('', schema, tinyAnalyzer, { sort: [key] })
      const ranked = documents.map((document) => ({ document, textMatchScore: 0 }))
      const sorted = sortDocuments(ranked, plan, schema, tinyAnalyzer).slice(0, k)
      const foundKeys = new Set([...found].map((docOrd) => segment.docKeys[docOrd]!))
      for (const { document } of sorted) assert.ok(foundKeys.has(document.docKey))
    }),
    { numRuns: 300 },
  )
  assert.ok(answers > 50, `${answers} answers`)
})
