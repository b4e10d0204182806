import { POLYGON_CORNERS_MAX } from '@aisle/contract'
import { boxOf, polygonOf, wrapped } from '@aisle/engine'
import type { Area, Field, Place, SortKey } from '@aisle/engine'
import type { TextCursor } from './text-cursor.ts'

/*
 * Places in expressions. Filters: `(48.85, 2.35, 5 km)` is a circle, `(lat, lon, lat, lon)` a box
 * from its south-western to its north-eastern corner, `(lat, lon, lat, lon, lat, lon)` a polygon,
 * and a list of these any of them. Sorts: `(48.85, 2.35, precision: 2 km)`.
 */

const METERS = { m: 1, km: 1_000, mi: 1_609.344 } as const
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy
const UNIT = /(?:km|mi|m)(?![\p{L}\p{N}_])/iuy
const EXAMPLE = '`(48.85, 2.35, 5 km)`'

/** Whether an area or a list of areas is next. */
export function startsArea(cursor: TextCursor): boolean {
  return cursor.startsWith('(') || cursor.startsWith('[')
}

/** One area, or those of a list `[(…), (…)]`. */
export function readAreas(cursor: TextCursor): Area[] {
  if (!cursor.eat('[')) return [readArea(cursor)]
  const areas: Area[] = []
  do areas.push(readArea(cursor))
  while (eatComma(cursor))
  if (!cursor.eat(']')) throw cursor.expected('`,` or `]`')
  return areas
}

function readArea(cursor: TextCursor): Area {
  cursor.skipSpace()
  const at = cursor.at
  if (!cursor.eat('(')) throw cursor.expected(`an area such as ${EXAMPLE}`)
  const corners = [readPlace(cursor)]
  let meters: number | undefined
  while (eatComma(cursor)) {
    meters = corners.length === 1 ? readMeters(cursor) : undefined
    if (meters !== undefined) break
    if (corners.length === POLYGON_CORNERS_MAX) {
      throw cursor.error(`more than ${POLYGON_CORNERS_MAX} corners of a polygon`, at)
    }
    corners.push(readPlace(cursor))
  }
  if (!cursor.eat(')')) throw cursor.expected('`,` or `)`')
  const [first, second] = corners as [Place, Place?]
  if (meters !== undefined) return { kind: 'circle', center: wrapped(first), meters }
  if (second === undefined) {
    throw cursor.error(`expected a radius after the place, as in ${EXAMPLE}`, at)
  }
  if (corners.length === 2) {
    if (first.lat <= second.lat) return boxOf(first, second)
    throw cursor.error(
      'expected the south-western corner of the box, then the north-eastern one',
      at,
    )
  }
  const polygon = polygonOf(corners)
  if (typeof polygon !== 'string') return polygon
  throw cursor.error(polygon, at)
}

/** The order by distance, from `(` on; the direction is yet to be read. */
export function readDistanceOrder(
  cursor: TextCursor,
  { name }: Field,
): Pick<
  Extract<SortKey, { kind: 'distance' }>,
  'from' | 'excludeMeters' | 'precisionMeters' | 'missing'
> {
  if (!cursor.eat('(')) {
    throw cursor.error(
      `field \`${name}\` is sorted by the distance from a place: \`${name}(48.85, 2.35):asc\``,
    )
  }
  const order = { from: wrapped(readPlace(cursor)), excludeMeters: 0, precisionMeters: 0 }
  let missing: 'first' | 'last' = 'last'
  while (eatComma(cursor)) {
    const at = cursor.at
    const name = cursor.match(/[a-z_]+/iy)?.toLowerCase()
    cursor.skipSpace()
    const option = cursor.eat(':') ? name : undefined
    cursor.skipSpace()
    switch (option) {
      case 'exclude_radius':
        order.excludeMeters = requireMeters(cursor)
        break
      case 'precision':
        order.precisionMeters = requireMeters(cursor)
        break
      case 'missing':
      case 'missing_values': {
        const place = cursor.match(/(?:first|last)(?![\p{L}\p{N}_])/iuy)
        if (place === undefined) throw cursor.expected('`first` or `last`')
        missing = place.length === 5 ? 'first' : 'last'
        break
      }
      default:
        throw cursor.expected('`exclude_radius:`, `precision:` or `missing:`', at)
    }
  }
  if (!cursor.eat(')')) throw cursor.expected('`,` or `)`')
  return { ...order, missing }
}

/** Parses latitude and longitude, which may be beyond 180: maps repeat the earth. */
function readPlace(cursor: TextCursor): Place {
  cursor.skipSpace()
  const at = cursor.at
  const lat = readNumber(cursor, 'a latitude')
  if (!eatComma(cursor)) throw cursor.expected('`,` and a longitude')
  const lon = readNumber(cursor, 'a longitude')
  cursor.skipSpace()
  if (Math.abs(lat) <= 90 && Math.abs(lon) < Infinity) return { lat, lon }
  throw cursor.error('expected a latitude from -90 to 90, then a longitude', at)
}

function requireMeters(cursor: TextCursor): number {
  const meters = readMeters(cursor)
  if (meters === undefined) throw cursor.expected('a distance such as `5 km`, `3 mi` or `500 m`')
  return meters
}

/** A number with a unit; undefined, with nothing read, if there is none. */
function readMeters(cursor: TextCursor): number | undefined {
  cursor.skipSpace()
  const at = cursor.at
  const number = cursor.match(NUMBER)
  cursor.skipSpace()
  const unit = number === undefined ? undefined : cursor.match(UNIT)
  if (unit === undefined) {
    cursor.at = at
    return undefined
  }
  const meters = Number(number) * METERS[unit.toLowerCase() as keyof typeof METERS]
  if (!(meters >= 0 && meters < Infinity)) throw cursor.expected('a distance from 0', at)
  cursor.skipSpace()
  return meters
}

function readNumber(cursor: TextCursor, what: string): number {
  cursor.skipSpace()
  const number = cursor.match(NUMBER)
  if (number === undefined) throw cursor.expected(what)
  return Number(number)
}

function eatComma(cursor: TextCursor): boolean {
  cursor.skipSpace()
  const isThere = cursor.eat(',')
  cursor.skipSpace()
  return isThere
}
