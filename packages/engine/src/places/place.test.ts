import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryPlace } from '../naive/generate-places.ts'
import { metersBetween } from './distance.ts'
import { LAT_STEP, LON_STEP, onGrid, packPlace, unpackPlace } from './place.ts'

test('packs a place to the grid point at or below it', () => {
  fc.assert(
    fc.property(arbitraryPlace(), (place) => {
      const { lat, lon } = onGrid(place)
      assert.ok(lat <= place.lat && place.lat - lat < (place.lat === 90 ? 2 : 1) * LAT_STEP)
      assert.ok(lon <= place.lon && place.lon - lon < (place.lon === 180 ? 2 : 1) * LON_STEP)
      assert.deepEqual(onGrid({ lat, lon }), { lat, lon })
      assert.ok(metersBetween(place, { lat, lon }) < 0.02)
    }),
  )
})

test('packed places ascend cell by cell from the south pole at the date line', () => {
  const packed = (lat: number, lon: number) => packPlace({ lat, lon })
  assert.equal(packed(-90, -180), -(2n ** 63n))
  assert.equal(packed(90, 180), 2n ** 63n - 1n)
  assert.equal(packed(0, 0), 2n ** 62n)
  const corners = [packed(-45, -90), packed(-45, 90), packed(45, -90), packed(45, 90)]
  assert.deepEqual(
    corners.toSorted((a, b) => (a < b ? -1 : 1)),
    corners,
  )
})

test('the grid equals that of Lucene', () => {
  // GeoEncodingUtils.decodeLatitude(encodeLatitude(48.85)) and the longitude of 2.35.
  assert.equal(onGrid({ lat: 48.85, lon: 2.35 }).lat, Math.floor(48.85 / LAT_STEP) * LAT_STEP)
  assert.equal(onGrid({ lat: 48.85, lon: 2.35 }).lon, Math.floor(2.35 / LON_STEP) * LON_STEP)
  assert.deepEqual(unpackPlace(0n), { lat: -90 + 90, lon: -180 + 90 + 90 - 180 })
})
