import type { Place } from './place.ts'

/**
 * A polygon: at least three corners in order; the last connects to the first. On the plane of
 * latitude and longitude an edge is a straight line that takes the shorter way around the earth, so
 * a polygon may cross the date line.
 */
export interface Polygon {
  readonly kind: 'polygon'
  readonly corners: readonly Place[]
}

/**
 * The corners with longitudes that continue past 180 instead of jumping, so that every edge is a
 * plain line.
 *
 * @returns undefined if it goes around a pole, or around the earth more than once
 */
export function unrolled({ corners }: Polygon): readonly Place[] | undefined {
  const ring: Place[] = []
  let lon = corners[0]!.lon
  let [west, east] = [lon, lon]
  for (const [i, { lat }] of corners.entries()) {
    ring.push({ lat, lon })
    lon += shorterWay(corners[i]!.lon, corners[(i + 1) % corners.length]!.lon)
    west = Math.min(west, lon)
    east = Math.max(east, lon)
  }
  const isClosed = Math.abs(lon - ring[0]!.lon) < 180
  return isClosed && east - west <= 360 ? ring : undefined
}

/** Degrees from one longitude to another, in -180 .. 180 (exclusive). */
function shorterWay(from: number, to: number): number {
  const way = to - from
  return way >= 180 ? way - 360 : way < -180 ? way + 360 : way
}

/** Even-odd rule; borders are included. */
export function polygonHolds(polygon: Polygon, { lat, lon }: Place): boolean {
  const ring = unrolled(polygon)
  if (ring === undefined) return false
  return [-360, 0, 360].some((turn) => ringHolds(ring, { lat, lon: lon + turn }))
}

function ringHolds(ring: readonly Place[], place: Place): boolean {
  let isInside = false
  for (const [i, a] of ring.entries()) {
    const b = ring[(i + 1) % ring.length]!
    if (isOnEdge(a, b, place)) return true
    if (isRightOf(a, b, place)) isInside = !isInside
  }
  return isInside
}

/** Whether the edge crosses the line from the place to the east. */
function isRightOf(a: Place, b: Place, { lat, lon }: Place): boolean {
  if (a.lat > lat === b.lat > lat) return false
  return lon < ((b.lon - a.lon) * (lat - a.lat)) / (b.lat - a.lat) + a.lon
}

function isOnEdge(a: Place, b: Place, { lat, lon }: Place): boolean {
  if (lat < Math.min(a.lat, b.lat) || lat > Math.max(a.lat, b.lat)) return false
  if (lon < Math.min(a.lon, b.lon) || lon > Math.max(a.lon, b.lon)) return false
  return (b.lon - a.lon) * (lat - a.lat) === (b.lat - a.lat) * (lon - a.lon)
}
