import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ELEMENT_STRIDE } from '../analysis/analyze-document.ts'
import { GrowableF64, GrowableU8 } from '../codec/growable.ts'
import type { Occurrence } from './positions.ts'
import {
  copyPositions,
  PLACES_PER_FIELD,
  readPlaces,
  readPositions,
  skipPositions,
  writePositions,
} from './positions.ts'

const FIELDS = 3
const position = fc.oneof(
  fc.nat(40),
  fc.nat(200),
  fc.constantFrom(ELEMENT_STRIDE, 2 * ELEMENT_STRIDE),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
)

/** One posting: its occurrences by field and position, rarely of several forms. */
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
        endsValue: position % 3 === 0,
      })),
  }))

test('reads, skips and copies occurrences as written', () => {
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
          Uint8Array.from(occurrences, ({ endsValue }) => Number(endsValue)),
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

test('places are the occurrences that match the filter', () => {
  const filters = fc.record({
    formMask: fc.oneof(fc.constant(0x7fffffff), fc.nat(0x7fffffff)),
    fields: fc.tuple(fc.nat(1), fc.nat(1), fc.nat(1)).map((fields) => Uint8Array.from(fields)),
    startsOnly: fc.boolean(),
    endsOnly: fc.boolean(),
  })
  fc.assert(
    fc.property(arbitraryPosting, filters, fc.nat(30), (posting, filter, onlyForm) => {
      const { occurrences, hasSeveralForms } = posting
      const output = new GrowableU8(4)
      writePositions(
        output,
        Uint32Array.from(occurrences, ({ textField }) => textField),
        Uint32Array.from(occurrences, ({ position }) => position),
        Uint32Array.from(occurrences, ({ form }) => Math.max(0, form)),
        Uint8Array.from(occurrences, ({ endsValue }) => Number(endsValue)),
        occurrences.length,
        hasSeveralForms,
      )
      const impacts = new Uint8Array(FIELDS)
      for (const { textField } of occurrences) impacts[textField] = 1
      const places = new GrowableF64(1)
      const mask = 1 << onlyForm
      const count = readPlaces(output.data, 0, impacts, 0, mask, filter, places)
      const wanted = occurrences.filter(
        ({ textField, position, form, endsValue }) =>
          ((form < 0 ? mask : 1 << form) & filter.formMask) !== 0 &&
          filter.fields[textField] === 1 &&
          (!filter.startsOnly || position % ELEMENT_STRIDE === 0) &&
          (!filter.endsOnly || endsValue),
      )
      assert.deepEqual(
        [...places.data.subarray(0, count)],
        wanted.map(({ textField, position }) => textField * PLACES_PER_FIELD + position),
      )
    }),
    { numRuns: 300 },
  )
})
