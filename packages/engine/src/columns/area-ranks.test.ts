import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryArea, arbitraryPlace } from '../naive/generate-places.ts'
import { areaHolds } from '../places/area.ts'
import { packPlace, type Place, unpackPlace } from '../places/place.ts'
import { ranksInArea } from './area-ranks.ts'
import { columnOf, fieldForTest } from './column-for-test.ts'

const noDeadline = () => undefined

function columnOfPlaces(places: readonly Place[]) {
  return columnOf(fieldForTest('geopoint'), places.map(packPlace))!
}

test('the ranks in any area are those of the places in it', () => {
  const places = fc.array(arbitraryPlace(), { minLength: 1, maxLength: 400, size: 'max' })
  const areas = fc.array(arbitraryArea(), { minLength: 1, maxLength: 20, size: 'max' })
  fc.assert(
    fc.property(places, areas, (given, wanted) => {
      const column = columnOfPlaces(given)
      const ranks = Array.from({ length: column.valueCount }, (_, rank) => rank)
      for (const area of wanted) {
        const ranges = ranksInArea(column, area, noDeadline)
        const found = ranks.filter((rank) =>
          ranges.some((from, i) => i % 2 === 0 && rank >= from && rank < ranges[i + 1]!),
        )
        const expected = ranks.filter((rank) => areaHolds(area, unpackPlace(column.bigint(rank))))
        assert.deepEqual(found, expected)
      }
    }),
    { numRuns: 100 },
  )
})

test('also finds places within a few hundred metres, which take 4 bytes each', () => {
  const places = Array.from({ length: 300 }, (_, i) => ({ lat: 48.85 + i / 1e5, lon: 2.35 }))
  const column = columnOfPlaces(places)
  const circle = { kind: 'circle', center: places[0]!, meters: 100 } as const
  const expected = places.filter((place) => areaHolds(circle, place)).length
  assert.deepEqual(ranksInArea(column, circle, noDeadline), [0, expected])
})

test('a large area is one range of ranks, and a deadline ends the search of a ragged one', () => {
  const places = Array.from({ length: 40_000 }, (_, i) => ({
    lat: ((i * 7919) % 18_000) / 100 - 90,
    lon: ((i * 104_729) % 36_000) / 100 - 180,
  }))
  const column = columnOfPlaces(places)
  const all = { kind: 'circle', center: { lat: 0, lon: 0 }, meters: 3e7 } as const
  assert.deepEqual(ranksInArea(column, all, noDeadline), [0, column.valueCount])
  const corners = Array.from({ length: 900 }, (_, i) => ({
    lat: i % 2 === 0 ? -80 : 80,
    lon: i / 5.1 - 88,
  }))
  const late = () => {
    throw new Error('late')
  }
  const ragged = { kind: 'polygon', corners } as const
  assert.throws(() => ranksInArea(column, ragged, late), /late/)
  let checks = 0
  ranksInArea(column, ragged, () => void checks++)
  assert.ok(checks > 500, `${checks} looks at the clock for 900 corners and 40,000 places`)
})
