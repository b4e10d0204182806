import type { Area, Circle } from './area.ts'
import { EARTH_RADIUS_METERS, haversineMeters } from './distance.ts'
import type { Place } from './place.ts'
import { unrolled, type Polygon } from './polygon.ts'

/** A rectangle of the map in degrees, borders included. */
export interface Cell {
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

/** An area prepared for many tests of cells and places. `areaHolds` defines the result. */
export interface TestedArea {
  /** Approximate cost of one test, in steps. */
  readonly steps: number
  /** 1: the area contains all places of the cell; -1: none; 0: maybe some. */
  relationTo(cell: Cell): -1 | 0 | 1
  holds(lat: number, lon: number): boolean
}

/** Prepares an area for many tests. */
export function testedArea(area: Area): TestedArea {
  return area.kind === 'circle' ? new TestedCircle(area) : new TestedPolygon(area)
}

const RADIANS = Math.PI / 180
/** Maximum error of an angle near 0 and near 180 degrees, in radians; 0.6 m. */
const ANGLE_SLACK = 1e-7

class TestedCircle implements TestedArea {
  readonly steps = 1
  readonly #center: Place
  readonly #meters: number
  readonly #angle: number

  constructor({ center, meters }: Circle) {
    this.#center = center
    this.#meters = meters
    this.#angle = meters / EARTH_RADIUS_METERS
  }

  relationTo(cell: Cell): -1 | 0 | 1 {
    const { lat, lon } = this.#center
    if (leastAngle(lat, lon, cell) > this.#angle + ANGLE_SLACK) return -1
    // The farthest point from the center is the nearest to its antipode.
    const opposite = lon > 0 ? lon - 180 : lon + 180
    const greatest = Math.PI - leastAngle(-lat, opposite, cell)
    return greatest < this.#angle - ANGLE_SLACK ? 1 : 0
  }

  holds(lat: number, lon: number): boolean {
    return haversineMeters(this.#center.lat, this.#center.lon, lat, lon) <= this.#meters
  }
}

/** Angle from a place to the nearest point of a cell, in radians. */
function leastAngle(lat: number, lon: number, { south, north, west, east }: Cell): number {
  if (lon >= west && lon <= east) {
    return (lat < south ? south - lat : lat > north ? lat - north : 0) * RADIANS
  }
  // Along a parallel the distance grows with the difference in longitude: a side is nearest.
  return Math.min(
    angleToMeridian(lat, lon - west, south, north),
    angleToMeridian(lat, lon - east, south, north),
  )
}

/** Angle from a place to a part of a meridian at this difference of longitude, in radians. */
function angleToMeridian(lat: number, lonAway: number, south: number, north: number): number {
  const rising = Math.sin(lat * RADIANS)
  const level = Math.cos(lat * RADIANS) * Math.cos(lonAway * RADIANS)
  const nearest = Math.atan2(rising, level)
  const [low, high] = [south * RADIANS, north * RADIANS]
  const cosine =
    nearest >= low && nearest <= high
      ? Math.hypot(rising, level)
      : Math.max(
          rising * Math.sin(low) + level * Math.cos(low),
          rising * Math.sin(high) + level * Math.cos(high),
        )
  return Math.acos(Math.max(-1, Math.min(1, cosine)))
}

/** Degrees by which an edge may miss a cell and still count as touching it. */
const EDGE_SLACK = 1e-9

class TestedPolygon implements TestedArea {
  readonly steps: number
  /** Corners in order, with the first repeated at the end. */
  readonly #lats: Float64Array
  readonly #lons: Float64Array
  /** Multiples of 360 degrees to add to a longitude, so that it may lie within the polygon. */
  readonly #turns: readonly number[]

  constructor(polygon: Polygon) {
    const ring = unrolled(polygon) ?? []
    const closed = [...ring, ...ring.slice(0, 1)]
    this.steps = closed.length
    this.#lats = Float64Array.from(closed, ({ lat }) => lat)
    this.#lons = Float64Array.from(closed, ({ lon }) => lon)
    const [west, east] = [Math.min(...this.#lons), Math.max(...this.#lons)]
    this.#turns = [-360, 0, 360].filter((turn) => west <= 180 + turn && east >= turn - 180)
  }

  relationTo({ south, north, west, east }: Cell): -1 | 0 | 1 {
    for (const turn of this.#turns) {
      if (this.#touches(south, north, west + turn, east + turn)) return 0
    }
    return this.holds(south, west) ? 1 : -1
  }

  /** Whether an edge may pass through a cell. */
  #touches(south: number, north: number, west: number, east: number): boolean {
    const [lats, lons] = [this.#lats, this.#lons]
    for (let i = 0; i + 1 < lats.length; i++) {
      const [latA, lonA, latB, lonB] = [lats[i]!, lons[i]!, lats[i + 1]!, lons[i + 1]!]
      if (Math.max(latA, latB) < south - EDGE_SLACK) continue
      if (Math.min(latA, latB) > north + EDGE_SLACK) continue
      if (Math.max(lonA, lonB) < west - EDGE_SLACK) continue
      if (Math.min(lonA, lonB) > east + EDGE_SLACK) continue
      const [byLat, byLon] = [latB - latA, lonB - lonA]
      // The side of the edge on which each of the four corners lies.
      const a = byLon * (south - latA) - byLat * (west - lonA)
      const b = byLon * (south - latA) - byLat * (east - lonA)
      const c = byLon * (north - latA) - byLat * (west - lonA)
      const d = byLon * (north - latA) - byLat * (east - lonA)
      if (Math.min(a, b, c, d) <= EDGE_SLACK && Math.max(a, b, c, d) >= -EDGE_SLACK) return true
    }
    return false
  }

  holds(lat: number, lon: number): boolean {
    for (const turn of this.#turns) if (this.#ringHolds(lat, lon + turn)) return true
    return false
  }

  /** The same arithmetic as `polygonHolds`, so that both round alike. */
  #ringHolds(lat: number, lon: number): boolean {
    const [lats, lons] = [this.#lats, this.#lons]
    let isInside = false
    for (let i = 0; i + 1 < lats.length; i++) {
      const [latA, lonA, latB, lonB] = [lats[i]!, lons[i]!, lats[i + 1]!, lons[i + 1]!]
      const [isAAbove, isBAbove] = [latA > lat, latB > lat]
      if (isAAbove && isBAbove) continue
      if (!isAAbove && !isBAbove && lat !== latA && lat !== latB) continue
      const isBeside =
        lon >= Math.min(lonA, lonB) &&
        lon <= Math.max(lonA, lonB) &&
        lat >= Math.min(latA, latB) &&
        lat <= Math.max(latA, latB)
      if (isBeside && (lonB - lonA) * (lat - latA) === (latB - latA) * (lon - lonA)) return true
      if (isAAbove === isBAbove) continue
      if (lon < ((lonB - lonA) * (lat - latA)) / (latB - latA) + lonA) isInside = !isInside
    }
    return isInside
  }
}
