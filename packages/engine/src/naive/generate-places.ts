import fc from 'fast-check'
import type { Area } from '../places/area.ts'
import { boxOf } from '../places/drawn-areas.ts'
import { onGrid, type Place } from '../places/place.ts'
import { unrolled } from '../places/polygon.ts'
import type { SortKey } from '../query/plan.ts'

/** Around Paris, on both sides of the date line, and at the poles. */
export const PLACES: readonly Place[] = [
  { lat: 48.85, lon: 2.35 },
  { lat: 48.86, lon: 2.29 },
  { lat: -16.5, lon: 180 },
  { lat: -16.5, lon: -180 },
  { lat: -17, lon: 179.5 },
  { lat: 0, lon: 0 },
  { lat: 90, lon: 12 },
  { lat: 89.5, lon: -120 },
  { lat: -90, lon: 0 },
]

/** Anywhere, or within a few kilometres of another. */
export function arbitraryPlace(): fc.Arbitrary<Place> {
  const part = (from: number, to: number) =>
    fc.integer({ min: 0, max: 2 ** 20 }).map((n) => from + ((to - from) * n) / 2 ** 20)
  const near = fc.tuple(fc.constantFrom(...PLACES), part(-0.2, 0.2), part(-0.2, 0.2))
  return fc.oneof(
    fc.record({ lat: part(-90, 90), lon: part(-180, 180) }),
    near.map(([{ lat, lon }, byLat, byLon]) => ({
      lat: Math.max(-90, Math.min(90, lat + byLat)),
      lon: Math.max(-180, Math.min(180, lon + byLon)),
    })),
  )
}

/** Circles and boxes of all sizes, and polygons, some across the date line or a pole. */
export function arbitraryArea(): fc.Arbitrary<Area> {
  const place = fc.oneof(arbitraryPlace(), fc.constantFrom(...PLACES)).map(onGrid)
  const meters = fc.constantFrom(0, 1, 500, 5_000, 30_000, 400_000, 6_000_000, 15_000_000, 2e7, 3e7)
  const circle = fc.record({ kind: fc.constant('circle' as const), center: place, meters })
  const corners = fc.array(place, { minLength: 3, maxLength: 7 })
  const polygon = fc.record({ kind: fc.constant('polygon' as const), corners })
  const lon = fc.oneof(fc.integer({ min: -400, max: 400 }), fc.constantFrom(-180, 180, 540))
  const box = fc.tuple(place, place, lon, lon).map(([a, b, west, east]) => {
    const [south, north] = [Math.min(a.lat, b.lat), Math.max(a.lat, b.lat)]
    return boxOf({ lat: south, lon: west }, { lat: north, lon: east })
  })
  return fc.oneof<fc.Arbitrary<Area>[]>(
    circle,
    box,
    polygon.filter((made) => unrolled(made) !== undefined),
  )
}

/** The order by distance of one of these fields. */
export function arbitraryDistance(fields: readonly number[]): fc.Arbitrary<SortKey> {
  return fc.record({
    kind: fc.constant('distance' as const),
    field: fc.constantFrom(...fields),
    from: arbitraryPlace().map(onGrid),
    excludeMeters: fc.constantFrom(0, 0, 5_000, 1_000_000),
    precisionMeters: fc.constantFrom(0, 0, 2_000, 3_000_000),
    descending: fc.boolean(),
    missing: fc.constantFrom('last' as const, 'first'),
  })
}
