import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { GrowableU8 } from '../codec/growable.ts'
import type { Occurrence } from './positions.ts'
import { copyPositions, readPositions, skipPositions, writePositions } from './positions.ts'

const FIELDS = 3
const position = fc.oneof(fc.nat(40), fc.integer({ min: 0, max: 2 ** 32 - 1 }))

/** One posting: its occurrences by field and position, seldom of several forms. */
const arbitraryPosting = fc
  .record({
    places: fc.uniqueArray(fc.tuple(fc.nat(FIELDS - 1), position), {
      minLength: 1,
      maxLength: 20,
      selector: (place) => place.join(),
    }),
    hasSeveralForms: fc.boolean(),
  })
  .map(({ places, hasSeveralForms }) => ({
    hasSeveralForms,
    occurrences: places
      .toSorted(([a, b], [c, d]) => a - c || b - d)
      .map(([textField, position], i): Occurrence => ({
        textField,
        position,
        form: hasSeveralForms ? (i * 7) % 31 : -1,
      })),
  }))

test('occurrences are read as they were written, skipped and copied as wholes', () => {
  fc.assert(
    fc.property(fc.array(arbitraryPosting, { minLength: 1, maxLength: 12 }), (postings) => {
      const output = new GrowableU8(4)
      const ends: number[] = []
      for (const { occurrences, hasSeveralForms } of postings) {
        writePositions(
          output,
          Uint32Array.from(occurrences, ({ textField }) => textField),
          Uint32Array.from(occurrences, ({ position }) => position),
          Uint32Array.from(occurrences, ({ form }) => Math.max(0, form)),
          occurrences.length,
          hasSeveralForms,
        )
        ends.push(output.length)
      }
      const bytes = output.data.slice(0, output.length)
      const copy = new GrowableU8(1)
      let at = 0
      postings.forEach(({ occurrences }, i) => {
        const impacts = new Uint8Array(FIELDS + 1)
        for (const { textField } of occurrences) impacts[textField + 1] = 1
        assert.deepEqual(readPositions(bytes, at, impacts, 1), occurrences)
        assert.equal(skipPositions(bytes, at), ends[i])
        at = copyPositions(copy, bytes, at)
      })
      assert.deepEqual(copy.data.slice(0, copy.length), bytes)
    }),
    { numRuns: 300 },
  )
})
