import { onGrid, type Place } from './place.ts'
import { unrolled, type Polygon } from './polygon.ts'

/** Sides of half of the earth and more are cut into pieces, whose shorter way is the right one. */
const PIECE_DEGREES = 90

/** A place as people and maps write it: the longitude may continue beyond 180 or -180. */
export type Written = Place

/** The same place with a longitude of -180 .. 180, on the grid of all places. */
export function wrapped({ lat, lon }: Written): Place {
  return onGrid({ lat, lon: lon - 360 * turnsOf(lon) })
}

/** From the south-western corner eastwards to the north-eastern one; at most once around. */
export function boxOf(southWest: Written, northEast: Written): Polygon {
  const { lat: south, lon: west } = wrapped(southWest)
  const { lat: north, lon: east } = onGrid(eastern(northEast))
  const isAround = northEast.lon - southWest.lon >= 360
  const end = isAround ? west + 360 : east < west ? east + 360 : east
  return drawn([
    { lat: south, lon: west },
    { lat: south, lon: end },
    { lat: north, lon: end },
    { lat: north, lon: west },
  ])
}

/**
 * A polygon as it looks on a map of latitudes and longitudes.
 *
 * @returns a text if it is unclear what was drawn
 */
export function polygonOf(corners: readonly Written[]): Polygon | string {
  const lons = corners.map(({ lon }) => lon)
  const isBeyond = lons.some((lon) => turnsOf(lon) !== 0)
  const wide = lons.findIndex((lon, i) => Math.abs(nextOf(lons, i) - lon) > 180)
  if (wide >= 0 && !isBeyond) {
    const [from, to] = [lons[wide]!, nextOf(lons, wide)]
    const across = to + (to < 0 ? 360 : -360)
    return `the side from longitude ${from} to ${to} is wider than 180 degrees: write ${across} instead of ${to} if it crosses the date line, or else corners between them`
  }
  const polygon = drawn(
    corners.map((corner) => {
      const { lat, lon } = wrapped(corner)
      return { lat, lon: lon + 360 * turnsOf(corner.lon) }
    }),
  )
  if (unrolled(polygon) !== undefined) return polygon
  return 'the polygon goes round the earth more than once'
}

/** A ring whose sides are straight lines between longitudes as they are, beyond 180 too. */
function drawn(ring: readonly Place[]): Polygon {
  const corners = ring.flatMap((corner, i) => {
    const next = nextOf(ring, i)
    const width = Math.abs(next.lon - corner.lon)
    const steps = width < 180 ? 1 : Math.ceil(width / PIECE_DEGREES)
    return Array.from({ length: steps }, (_, step) => ({
      lat: corner.lat + ((next.lat - corner.lat) * step) / steps,
      lon: corner.lon + ((next.lon - corner.lon) * step) / steps,
    }))
  })
  return { kind: 'polygon', corners: corners.map((corner) => onGrid(eastern(corner))) }
}

/** The next element of a ring. */
function nextOf<Element>(ring: readonly Element[], at: number): Element {
  return ring[(at + 1) % ring.length]!
}

/** The same place with a longitude of -180 .. 180 (exclusive): the date line is -180. */
function eastern({ lat, lon }: Written): Place {
  return { lat, lon: lon - 360 * Math.floor((lon + 180) / 360) }
}

/** How often a longitude goes around the earth: 0 from -180 to 180. */
function turnsOf(lon: number): number {
  return Math.abs(lon) <= 180 ? 0 : Math.round(lon / 360)
}
