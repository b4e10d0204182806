import type { AlgoliaParameters } from './algolia-types.ts'
import { listOf, NOTHING, quoted, type HasField } from './filters.ts'
import type { Condition } from './refusals.ts'

/** The default geopoint field, as at Algolia. */
export const PLACE_FIELD = '_geoloc'

/** Whether a query searches by place. */
export function isByPlace({ aroundLatLng, insideBoundingBox, insidePolygon }: AlgoliaParameters) {
  return [aroundLatLng, insideBoundingBox, insidePolygon].some((one) => listOf(one).length > 0)
}

/** A condition for documents in the boxes or polygons of a query, or within its radius. */
export function placeConditions(
  params: AlgoliaParameters,
  field: string,
  hasField: HasField,
): Condition[] {
  const areas = areasOf(params)
  if (areas.length === 0) return []
  const names = ['insideBoundingBox', 'insidePolygon', 'aroundLatLng']
  const from = names.filter((name) => listOf(params[name]).length > 0).join(', ')
  const expression = hasField(field) ? `${quoted(field)}:[${areas.join(',')}]` : NOTHING
  return [{ from, expression }]
}

/**
 * Sorts nearest first, unless a box or polygon is given: then distance does not count, as at
 * Algolia.
 */
export function placeOrder(params: AlgoliaParameters, field: string): string | undefined {
  const center = centerOf(params)
  if (center === undefined) return undefined
  const precision = Number(params['aroundPrecision'])
  const rounded = precision > 1 ? `, precision: ${precision} m` : ''
  return `${quoted(field)}(${center.join()}${rounded}):asc,_text_match:desc`
}

/** A place of a document in Algolia's form. */
export function geolocOf(value: unknown): unknown {
  if (!Array.isArray(value)) return latLng(value)
  return typeof value[0] === 'number' ? { lat: value[0], lng: value[1] } : value.map(geolocOf)
}

function latLng(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const { lat, lon, lng } = value as Readonly<Record<string, unknown>>
  return { lat, lng: lon ?? lng }
}

function areasOf(params: AlgoliaParameters): string[] {
  const boxes = shapesOf(params['insideBoundingBox'])
  const polygons = shapesOf(params['insidePolygon'])
  if (boxes.length + polygons.length > 0) {
    return [...boxes.map(boxOf), ...polygons].map((corners) => `(${corners.join()})`)
  }
  const center = centerOf(params)
  const radius = Number(params['aroundRadius'] ?? NaN)
  return center === undefined || Number.isNaN(radius) ? [] : [`(${center.join()}, ${radius} m)`]
}

function centerOf(params: AlgoliaParameters): number[] | undefined {
  const { aroundLatLng, insideBoundingBox, insidePolygon } = params
  if (listOf(insideBoundingBox).length + listOf(insidePolygon).length > 0) return undefined
  return listOf(aroundLatLng).length === 0 ? undefined : numbersOf('aroundLatLng', aroundLatLng)
}

/** Parses `"1,2,3,4"`, `[1, 2, 3, 4]`, or a list of these. */
function shapesOf(value: unknown): number[][] {
  const given = listOf(value)
  if (given.length === 0) return []
  const shapes = typeof given[0] === 'number' ? [given] : given
  return shapes.map((shape) => numbersOf('an area', shape))
}

function numbersOf(what: string, value: unknown): number[] {
  const parts: readonly unknown[] = Array.isArray(value) ? value : String(value).split(',')
  const numbers = parts.map(Number)
  if (numbers.length >= 2 && numbers.every(Number.isFinite)) return numbers
  throw new Error(`${what} "${String(value)}": expected latitudes and longitudes in turn`)
}

/**
 * A box from two opposite corners. The northern one is also the eastern one, as on the widget's
 * map, unless that lies west of the other by less than half of the earth.
 */
function boxOf([latA = 0, lngA = 0, latB = 0, lngB = 0]: readonly number[]): number[] {
  const [south, north] = [Math.min(latA, latB), Math.max(latA, latB)]
  const [northern, southern] = latA >= latB ? [lngA, lngB] : [lngB, lngA]
  const isSwapped = southern > northern && southern - northern <= 180
  return isSwapped ? [south, northern, north, southern] : [south, southern, north, northern]
}
