import type { Place } from './place.ts'

/** Mean radius of the earth: IUGG, (2a + b) / 3 of GRS 80, the same as in OpenSearch. */
export const EARTH_RADIUS_METERS = 6_371_008.7714

const RADIANS = Math.PI / 180

/**
 * Metres between two places on a sphere, by the haversine formula: Sinnott, "Virtues of the
 * haversine", Sky and Telescope 68 (1984). The earth is flattened, so the true distance differs by
 * up to 0.5 %.
 */
export function metersBetween(a: Place, b: Place): number {
  return haversineMeters(a.lat, a.lon, b.lat, b.lon)
}

/** The same for plain degrees, for inner loops. */
export function haversineMeters(latA: number, lonA: number, latB: number, lonB: number): number {
  const byLat = Math.sin(((latB - latA) * RADIANS) / 2)
  const byLon = Math.sin(((lonB - lonA) * RADIANS) / 2)
  const haversine =
    byLat * byLat + Math.cos(latA * RADIANS) * Math.cos(latB * RADIANS) * byLon * byLon
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(haversine)))
}

/** How a search orders documents by their distance from a place. */
export interface DistanceOrder {
  readonly from: Place
  /** Places nearer than this count as equally near; 0: none do. */
  readonly excludeMeters: number
  /** Distances within one step of this many metres are equal; 0: no rounding. */
  readonly precisionMeters: number
}

/** The distance that documents are sorted by: metres, rounded as the order says. */
export function roundedMeters(meters: number, order: DistanceOrder): number {
  const { excludeMeters, precisionMeters } = order
  if (meters < excludeMeters) return 0
  return precisionMeters === 0 ? meters : Math.floor(meters / precisionMeters) * precisionMeters
}
