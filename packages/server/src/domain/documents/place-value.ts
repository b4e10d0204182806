import type { Place } from '@aisle/engine'
import { readMembers, scanElements, textOf, type JsonElement } from '../json/json-scan.ts'
import { JsonScanner } from '../json/json-scanner.ts'

/** The formats of a place, for messages. */
export const PLACE_FORMS = '[latitude, longitude] or {"lat": …, "lon": …}'

/**
 * A place of a document: `[48.85, 2.35]`, `{"lat": 48.85, "lon": 2.35}` or with `lng`.
 *
 * @returns undefined if it is not a place; latitude and longitude may be out of range
 */
export function readPlace(bytes: Uint8Array, value: JsonElement): Place | undefined {
  if (value.kind === 'array') {
    const [lat, lon, ...others] = scanElements(bytes, value.start, value.end)
    return others.length > 0 ? undefined : placeOf(bytes, lat, lon)
  }
  if (value.kind !== 'object') return undefined
  const members = readMembers(new JsonScanner(bytes, value.start, value.end))
  if (members.length !== 2) return undefined
  const named = (...names: string[]) => members.find(({ key }) => names.includes(key))
  return placeOf(bytes, named('lat'), named('lon', 'lng'))
}

export function isOnEarth({ lat, lon }: Place): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180
}

function placeOf(
  bytes: Uint8Array,
  lat: JsonElement | undefined,
  lon: JsonElement | undefined,
): Place | undefined {
  if (lat?.kind !== 'number' || lon?.kind !== 'number') return undefined
  const number = ({ start, end }: JsonElement) => Number(textOf(bytes, start, end))
  return { lat: number(lat), lon: number(lon) }
}
