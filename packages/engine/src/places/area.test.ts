import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryPlace, PLACES } from '../naive/generate-places.ts'
import { type Area, areaHolds } from './area.ts'
import { EARTH_RADIUS_METERS, metersBetween } from './distance.ts'
import type { Place } from './place.ts'
import { unrolled } from './polygon.ts'

const place = (lat: number, lon: number): Place => ({ lat, lon })
const polygon = (...corners: [number, number][]): Area => ({
  kind: 'polygon',
  corners: corners.map(([lat, lon]) => ({ lat, lon })),
})

test('known distances', () => {
  const paris = place(48.8566, 2.3522)
  // Great-circle distances as published, to the kilometre.
  assert.equal(Math.round(metersBetween(paris, place(51.5074, -0.1278)) / 1000), 344)
  assert.equal(Math.round(metersBetween(paris, place(40.7128, -74.006)) / 1000), 5837)
  assert.equal(metersBetween(paris, paris), 0)
  const half = Math.PI * EARTH_RADIUS_METERS
  assert.ok(Math.abs(metersBetween(place(90, 0), place(-90, 77)) - half) < 1e-6)
  assert.ok(Math.abs(metersBetween(place(0, 0), place(0, 180)) - half) < 1e-6)
})

test('distances are right at the date line and the poles', () => {
  const across = metersBetween(place(-17, 179.9), place(-17, -179.9))
  const elsewhere = metersBetween(place(-17, 10.1), place(-17, 10.3))
  assert.ok(Math.abs(across - elsewhere) < 1e-3)
  assert.ok(metersBetween(place(90, 12), place(90, -170)) < 1e-6)
  assert.ok(Math.abs(metersBetween(place(89, 0), place(89, 180)) - 222_390) < 1)
})

test('a distance is symmetric and meets the triangle inequality', () => {
  fc.assert(
    fc.property(arbitraryPlace(), arbitraryPlace(), arbitraryPlace(), (a, b, c) => {
      assert.ok(Math.abs(metersBetween(a, b) - metersBetween(b, a)) < 1e-6)
      assert.ok(metersBetween(a, c) <= metersBetween(a, b) + metersBetween(b, c) + 0.3)
    }),
  )
})

test('a circle includes its border and may cross the date line and the poles', () => {
  const circle = (lat: number, lon: number, meters: number): Area => {
    return { kind: 'circle', center: { lat, lon }, meters }
  }
  const [a, b] = [place(1, 1), place(1, 2)]
  assert.ok(areaHolds(circle(1, 1, metersBetween(a, b)), b))
  assert.ok(!areaHolds(circle(1, 1, metersBetween(a, b) - 1e-6), b))
  assert.ok(areaHolds(circle(-17, 179.99, 5_000), place(-17, -179.99)))
  assert.ok(areaHolds(circle(89.9, 0, 30_000), place(89.9, 180)))
  assert.ok(areaHolds(circle(5, 5, 0), place(5, 5)))
  assert.ok(!areaHolds(circle(5, 5, 0), place(5, 5.0001)))
})

test('a polygon includes its corners, edges and interior', () => {
  const box = polygon([48, 2], [48, 3], [49, 3], [49, 2])
  assert.ok(areaHolds(box, place(48.5, 2.5)))
  for (const corner of [place(48, 2), place(48, 3), place(49, 3), place(49, 2)]) {
    assert.ok(areaHolds(box, corner))
  }
  assert.ok(areaHolds(box, place(48, 2.5)))
  assert.ok(areaHolds(box, place(48.25, 3)))
  assert.ok(!areaHolds(box, place(47.999_999, 2.5)))
  assert.ok(!areaHolds(box, place(48.5, 3.000_001)))
  // Two halves of a bow tie, and the notch of an arrow.
  assert.ok(!areaHolds(polygon([0, 0], [2, 2], [2, 0], [0, 2]), place(1, 0.2)))
  assert.ok(!areaHolds(polygon([0, 0], [1, 1], [0, 2], [3, 1]), place(0.5, 1)))
})

test('an edge takes the shorter way, so a polygon may cross the date line', () => {
  const fiji = polygon([-20, 176], [-20, -178], [-15, -178], [-15, 176])
  assert.ok(areaHolds(fiji, place(-17, 179)))
  assert.ok(areaHolds(fiji, place(-17, -179)))
  assert.ok(areaHolds(fiji, place(-17, 180)))
  assert.ok(!areaHolds(fiji, place(-17, 175)))
  assert.ok(!areaHolds(fiji, place(-17, 0)))
})

test('a polygon around a pole, or twice around the earth, is none', () => {
  const unclosed = [0, 90, 180, -90].map((lon) => place(66, lon))
  const spiral = [0, 120, -120, 10, 130, -110].map((lon) => place(10, lon))
  for (const corners of [unclosed, spiral]) {
    assert.equal(unrolled({ kind: 'polygon', corners }), undefined)
  }
})

test('a polygon of the points of a circle lies between two circles', () => {
  const input = fc.record({
    center: fc.oneof(arbitraryPlace(), fc.constantFrom(...PLACES)),
    meters: fc.constantFrom(200, 5_000, 100_000, 400_000),
    others: fc.array(arbitraryPlace(), { maxLength: 30 }),
  })
  fc.assert(
    fc.property(input, ({ center, meters, others }) => {
      const outer: Area = { kind: 'circle', center, meters: meters * 1.001 }
      const inner: Area = { kind: 'circle', center, meters: meters * 0.9 }
      const ring: Area = { kind: 'polygon', corners: circlePoints(center, meters, 180) }
      const isNearPole = Math.abs(center.lat) > 84
      const near = [0.5, 0.89, 0.95, 1.05].flatMap((part) =>
        circlePoints(center, meters * part, 16),
      )
      for (const one of [...others, ...near, center]) {
        if (areaHolds(inner, one) && !isNearPole) assert.ok(areaHolds(ring, one))
        if (areaHolds(ring, one) && !isNearPole) assert.ok(areaHolds(outer, one))
      }
    }),
  )
})

/** Points at a distance from a place, in all directions (Veness, "Destination point" formula). */
function circlePoints({ lat, lon }: Place, meters: number, count: number): Place[] {
  const radians = Math.PI / 180
  const angle = meters / EARTH_RADIUS_METERS
  return Array.from({ length: count }, (_, i) => {
    const bearing = (i / count) * 2 * Math.PI
    const sine =
      Math.sin(lat * radians) * Math.cos(angle) +
      Math.cos(lat * radians) * Math.sin(angle) * Math.cos(bearing)
    const east = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(lat * radians),
      Math.cos(angle) - Math.sin(lat * radians) * sine,
    )
    const around = ((lon + east / radians + 540) % 360) - 180
    return { lat: Math.asin(sine) / radians, lon: around }
  })
}
