import { unrolled, type Area, type Place } from '@aisle/engine'
import type { Query } from './product-searches.ts'
import { anyOf } from './row-query.ts'

/** A little more than half of the earth's circumference: every place is nearer. */
const ANYWHERE_METERS = 20_015_200
/** The cluster refuses a radius of 0. No two points of its grid are this close. */
const RADIUS_MIN_METERS = 0.001

/**
 * Documents with a place in the area.
 * @param name the slot of the field
 */
export function areaQuery(name: string, area: Area): Query {
  if (area.kind === 'circle') {
    const { center, meters } = area
    if (meters >= ANYWHERE_METERS) return { exists: { field: name } }
    const distance = `${Math.max(meters, RADIUS_MIN_METERS)}m`
    return { geo_distance: { distance, distance_type: 'arc', [name]: center } }
  }
  const pieces = piecesOf(unrolled(area) ?? [])
  return anyOf(pieces.map((piece) => ({ geo_polygon: { [name]: { points: closed(piece) } } })))
}

/** A polygon may extend beyond the date line: it is cut there, and each piece is shifted back. */
function piecesOf(ring: readonly Place[]): Place[][] {
  return [-360, 0, 360]
    .map((turn) => {
      const west = cut(ring, (lon) => lon - (turn - 180), turn - 180)
      const both = cut(west, (lon) => turn + 180 - lon, turn + 180)
      return both.map(({ lat, lon }) => ({ lat, lon: lon - turn }))
    })
    .filter((piece) => piece.length >= 3)
}

/**
 * The corners without repetitions, closed by the first one: at least four, as the cluster requires.
 */
function closed(piece: readonly Place[]): Place[] {
  const isSame = (a: Place, b: Place) => a.lat === b.lat && a.lon === b.lon
  const corners = piece.filter((corner, i) => !isSame(corner, piece.at(i - 1)!))
  if (corners.length === 0) corners.push(piece[0]!)
  while (corners.length < 3) corners.push(corners.at(-1)!)
  return [...corners, corners[0]!]
}

/**
 * The part of a polygon on one side of a meridian: Sutherland and Hodgman, "Reentrant polygon
 * clipping", Communications of the ACM 17 (1974).
 *
 * @param insideBy degrees by which a longitude is on the kept side; negative: it is on the other
 */
function cut(ring: readonly Place[], insideBy: (lon: number) => number, meridian: number): Place[] {
  return ring.flatMap((corner, i) => {
    const next = ring[(i + 1) % ring.length]!
    const [here, there] = [insideBy(corner.lon), insideBy(next.lon)]
    const kept = here >= 0 ? [corner] : []
    if (here >= 0 === there >= 0) return kept
    const lat = corner.lat + ((next.lat - corner.lat) * here) / (here - there)
    return [...kept, { lat, lon: meridian }]
  })
}
