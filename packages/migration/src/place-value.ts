import type { Conversion } from './migration.ts'

/** The order of numbers if a place is a list: OpenSearch puts the longitude first, like GeoJSON. */
export type PlaceOrder = Extract<Conversion, 'lat_lon' | 'lon_lat'>

/**
 * Converts a value of another engine to a geopoint: `{lat, lng}`, `[lat, lon]`, `"lat,lon"`,
 * `POINT(lon lat)`, a GeoJSON point. Invalid values stay as they are: the import reports them.
 */
export function placesFor(value: unknown, isList: boolean, order: PlaceOrder): unknown {
  if (!isList) return placeFor(value, order)
  const places = Array.isArray(value) && !isPair(value) ? (value as unknown[]) : [value]
  return places.map((one) => placeFor(one, order))
}

function placeFor(value: unknown, order: PlaceOrder): unknown {
  if (typeof value === 'string') {
    const point = /^\s*POINT\s*\(\s*(\S+)\s+(\S+)\s*\)\s*$/i.exec(value)
    if (point !== null) return numbers(value, point[2], point[1])
    const [lat, lon, ...others] = value.split(',')
    return others.length > 0 ? value : numbers(value, lat, lon)
  }
  if (isPair(value)) {
    const [first, second] = value
    return order === 'lat_lon' ? [first, second] : [second, first]
  }
  if (typeof value !== 'object' || value === null) return value
  const { lat, lon, lng, type, coordinates } = value as Readonly<Record<string, unknown>>
  if (type === 'Point' && isPair(coordinates)) return [coordinates[1], coordinates[0]]
  return numbers(value, lat, lon ?? lng)
}

/** A list of two numbers; exact numbers are objects, so lists of places must be excluded. */
function isPair(value: unknown): value is readonly [unknown, unknown] {
  if (!Array.isArray(value) || value.length !== 2) return false
  return value.every((one) => typeof one === 'number' || /^-?\d/.test(JSON.stringify(one) ?? ''))
}

function numbers(given: unknown, lat: unknown, lon: unknown): unknown {
  const pair = [lat, lon].map((one) =>
    typeof one === 'string' && one.trim() !== '' ? Number(one) : one,
  )
  const isPlace = pair.every((one) => one !== undefined && one !== null && !Number.isNaN(one))
  return isPlace ? { lat: pair[0], lon: pair[1] } : given
}
