import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { arbitraryPlace } from '../naive/generate-places.ts'
import { testedArea } from './area-cells.ts'
import { areaHolds } from './area.ts'
import { boxOf, polygonOf, wrapped } from './drawn-areas.ts'
import { LAT_STEP, LON_STEP, onGrid, type Place } from './place.ts'

// Goal: boxes and polygons mean what a map shows, also across the date line and wider than half of
// the earth. Method: generated areas against plain arithmetic, by both ways to test a place.

const arbitraryLon = fc.oneof(
  fc.integer({ min: -720, max: 720 }),
  fc.constantFrom(-540, -180.5, -180, -179.5, 179.5, 180, 180.5, 540),
)
const places = fc.array(arbitraryPlace().map(onGrid), { minLength: 1, maxLength: 40 })

suite('boxes', () => {
  test('hold what lies between their sides, at most once around the earth', () => {
    const box = fc.record({
      lats: fc.tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -90, max: 90 })),
      west: arbitraryLon,
      east: arbitraryLon,
    })
    fc.assert(
      fc.property(box, places, ({ lats, west, east }, others) => {
        const [south, north] = lats.toSorted((a, b) => a - b) as [number, number]
        const area = boxOf({ lat: south, lon: west }, { lat: north, lon: east })
        const corners = [wrapped({ lat: south, lon: west }), wrapped({ lat: north, lon: east })]
        // The date line is at both ends of the map.
        if (corners[1]!.lon + LON_STEP === 180) corners[1] = { ...corners[1]!, lon: -180 }
        const width = east - west >= 360 ? 360 : turned(corners[1]!.lon - corners[0]!.lon)
        for (const place of [...others, ...corners]) {
          const isInside =
            place.lat >= corners[0]!.lat &&
            place.lat <= corners[1]!.lat &&
            turned(place.lon - corners[0]!.lon) <= width
          assert.equal(areaHolds(area, place), isInside, JSON.stringify(place))
          assert.equal(testedArea(area).holds(place.lat, place.lon), isInside)
        }
      }),
    )
  })

  test('the whole earth, a wide one, and one across the date line', () => {
    const holds = (south: number, west: number, north: number, east: number, place: Place) =>
      areaHolds(boxOf({ lat: south, lon: west }, { lat: north, lon: east }), onGrid(place))
    for (const lon of [-180, -90, 0, 90, 180]) {
      assert.ok(holds(-90, -180, 90, 180, { lat: 90, lon }))
      assert.ok(holds(-10, -200, 10, 200, { lat: 0, lon }))
      assert.equal(holds(-10, -100, 10, 100, { lat: 0, lon }), Math.abs(lon) <= 90)
      assert.equal(holds(-10, 170, 10, -170, { lat: 0, lon }), Math.abs(lon) === 180)
      assert.equal(holds(-10, 170, 10, 190, { lat: 0, lon }), Math.abs(lon) === 180)
      assert.equal(holds(-10, -90, 10, 90, { lat: 0, lon }), Math.abs(lon) <= 90)
    }
  })
})

suite('polygons', () => {
  test('beyond 180 degrees they hold what the map shows', () => {
    const triangle = fc.array(
      fc.record({ lat: fc.integer({ min: -80, max: 80 }), lon: arbitraryLon }),
      {
        minLength: 3,
        maxLength: 6,
      },
    )
    fc.assert(
      fc.property(triangle, places, (corners, others) => {
        const area = polygonOf(corners)
        if (typeof area === 'string' || corners.every(({ lon }) => Math.abs(lon) <= 180)) return
        for (const place of others) {
          // Borders belong to an area, and it is drawn on the grid: only places off them are clear.
          const [crossed, ...nearby] = [-2, 2].flatMap((north) =>
            [-2, 2].map((east) =>
              crossings(corners, {
                lat: place.lat + north * LAT_STEP,
                lon: place.lon + east * LON_STEP,
              }),
            ),
          )
          if (!nearby.every((other) => isDeepStrictEqual(other, crossed))) continue
          assert.equal(
            areaHolds(area, place),
            crossed!.some((count) => count % 2 === 1),
          )
        }
      }),
    )
  })

  test('a polygon of 180 degrees does not go the other way round', () => {
    const half = polygonOf([
      { lat: 0, lon: -90 },
      { lat: 0, lon: 90 },
      { lat: 40, lon: 90 },
      { lat: 40, lon: -90 },
    ])
    assert.ok(typeof half !== 'string')
    assert.ok(areaHolds(half, { lat: 20, lon: 0 }))
    assert.ok(!areaHolds(half, { lat: 20, lon: 180 - LON_STEP }))
    assert.ok(!areaHolds(half, { lat: 80, lon: 0 }))
  })

  test('a side across more than half of the earth is unclear', () => {
    const corners = (...lons: number[]) =>
      polygonOf(lons.map((lon, i) => ({ lat: i < lons.length / 2 ? 10 : 20, lon })))
    const problemOf = (...lons: number[]) => {
      const made = corners(...lons)
      return typeof made === 'string' ? made : ''
    }
    assert.match(
      problemOf(176, -178, -178, 176),
      /from longitude 176 to -178 is wider than 180 degrees: write 182 instead of -178/,
    )
    assert.equal(typeof corners(176, 182, 182, 176), 'object')
    assert.equal(typeof corners(-170, -50, 50, 170, 170, 50, -50, -170), 'object')
    assert.match(problemOf(0, 120, -120), /from longitude 120 to -120/)
    assert.match(problemOf(0, 400, 400, 0), /more than once/)
  })
})

/** Degrees eastwards, 0 .. 360 (exclusive). */
function turned(degrees: number): number {
  return degrees - 360 * Math.floor(degrees / 360)
}

/**
 * How many sides of a ring lie east of a place, for each of the place's copies on an endless map.
 * An odd number means that this copy is inside.
 */
function crossings(corners: readonly Place[], { lat, lon }: Place): number[] {
  return [-3, -2, -1, 0, 1, 2, 3].map((turn) => {
    const x = lon + 360 * turn
    const crossed = corners.filter((a, i) => {
      const b = corners[(i + 1) % corners.length]!
      if (a.lat > lat === b.lat > lat) return false
      return x < ((b.lon - a.lon) * (lat - a.lat)) / (b.lat - a.lat) + a.lon
    })
    return crossed.length
  })
}
