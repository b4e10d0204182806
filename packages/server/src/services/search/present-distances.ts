import { isPlace, metersBetween } from '@aisle/engine'
import type { Field, FilterNode, Place, Schema, SearchPlan } from '@aisle/engine'
import type { SearchParameters } from '@aisle/contract'
import { placesOf } from '../../domain/documents/stored-value.ts'
import { isNamed } from '../../domain/documents/nested-fields.ts'

/** A field whose distance hits report, and the place from which it is measured. */
interface Measured {
  readonly field: Field
  readonly schema: Schema
  readonly from: Place
}

/**
 * Returns the places from which a search measures distances: those of its order, and for other
 * fields the centers of the circles that documents must lie in.
 */
export function measuredFields(
  { sort, filter }: Pick<SearchPlan, 'sort' | 'filter'>,
  schema: Schema,
  { omit_fields: omitted = [] }: Pick<SearchParameters, 'omit_fields'>,
): readonly Measured[] {
  const { fields } = schema
  if (!fields.some(isPlace)) return []
  const places = new Map<number, Place>()
  for (const key of sort) {
    if (key.kind === 'distance' && !places.has(key.field)) places.set(key.field, key.from)
  }
  if (filter !== undefined) addCenters(filter, places)
  return [...places]
    .map(([ordinal, from]) => ({ field: fields[ordinal]!, schema, from }))
    .filter(({ field }) => !isNamed(field.name, omitted, schema))
}

function addCenters(node: FilterNode, places: Map<number, Place>): void {
  if (node.kind === 'and' || node.kind === 'or') {
    for (const child of node.nodes) addCenters(child, places)
  } else if (node.kind === 'elements') {
    addCenters(node.node, places)
  } else if (node.kind === 'within' && node.area.kind === 'circle' && !places.has(node.field)) {
    places.set(node.field, node.area.center)
  }
}

/**
 * `geo_distance_meters` of a hit: by field, whole metres to its nearest place.
 *
 * @param json the stored data of the document
 * @returns undefined if it has no place
 */
export function presentDistances(
  measured: readonly Measured[],
  json: Uint8Array,
): string | undefined {
  const members = measured.flatMap(({ field, schema, from }) => {
    const meters = placesOf(json, field, schema).map((place) => metersBetween(from, place))
    if (meters.length === 0) return []
    return [`${JSON.stringify(field.name)}:${Math.round(Math.min(...meters))}`]
  })
  return members.length === 0 ? undefined : `{${members.join()}}`
}
