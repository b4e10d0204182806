import { haversineMeters } from './distance.ts'
import type { Place } from './place.ts'
import { polygonHolds, type Polygon } from './polygon.ts'

/** A part of the earth's surface, borders included. */
export type Area = Circle | Polygon

export interface Circle {
  readonly kind: 'circle'
  readonly center: Place
  readonly meters: number
}

export function areaHolds(area: Area, { lat, lon }: Place): boolean {
  return area.kind === 'polygon'
    ? polygonHolds(area, { lat, lon })
    : haversineMeters(area.center.lat, area.center.lon, lat, lon) <= area.meters
}
