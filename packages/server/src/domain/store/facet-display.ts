import {
  ApiError,
  FACET_DISPLAY_MAX_BYTES,
  type FacetDisplay,
  type FacetValueDisplay,
  type ShownFacets,
} from '@aisle/contract'
import { isPlace, type Schema } from '@aisle/engine'
import { requireField } from '../documents/field-lookup.ts'

/**
 * Checks how facets are shown beyond the schema of the contract.
 *
 * @throws ApiError with a parameter that begins with `facet_display`
 */
export function checkFacetDisplay(display: FacetDisplay, schema: Schema): void {
  const { order = [], hide = [], facets = {} } = display
  const seen = new Map<string, string>()
  for (const [list, names] of Object.entries({ order, hide })) {
    for (const [i, name] of names.entries()) {
      const param = `facet_display.${list}[${i}]`
      requireFacet(schema, name, param)
      requireNew(seen, name, param)
    }
  }
  for (const [name, values] of Object.entries(facets)) {
    const param = `facet_display.facets.${name}`
    requireFacet(schema, name, param)
    checkValues(values, param)
  }
  const bytes = Buffer.byteLength(JSON.stringify(display))
  if (bytes > FACET_DISPLAY_MAX_BYTES) {
    throw refused(
      'facet_display',
      `may have at most ${FACET_DISPLAY_MAX_BYTES} bytes as JSON, but has ${bytes}`,
    )
  }
}

function checkValues({ sort, pin = [], hide = [] }: FacetValueDisplay, at: string): void {
  const seen = new Map<string, string>()
  for (const [list, values] of Object.entries({ pin, hide })) {
    for (const [i, value] of values.entries()) requireNew(seen, value, `${at}.${list}[${i}]`)
  }
  if (sort === 'pinned' && pin.length === 0) {
    throw refused(`${at}.pin`, 'must have a value: `sort` is `pinned`')
  }
}

/** @throws ApiError if it was seen before, in the same list or the other */
function requireNew(seen: Map<string, string>, text: string, param: string): void {
  const before = seen.get(text)
  if (before !== undefined) throw refused(param, `is the same as \`${before}\``)
  seen.set(text, param)
}

/** @throws ApiError unknown_field, field_not_facetable */
export function requireFacet(schema: Schema, name: string, param: string): void {
  const { field } = requireField(schema, name, { param })
  if (field.facet && !isPlace(field)) return
  throw new ApiError('field_not_facetable', `Field \`${name}\` is not declared with \`facet\`.`, {
    param,
  })
}

function refused(param: string, problem: string): ApiError {
  return new ApiError('invalid_parameter', `Parameter \`${param}\` ${problem}`, { param })
}

/** The first of several values of each part holds: the order, what is hidden, and each facet. */
export function firstOfEach(displays: readonly FacetDisplay[]): FacetDisplay | undefined {
  if (displays.length < 2) return displays[0]
  const facets = new Map<string, FacetValueDisplay>()
  let order: FacetDisplay['order']
  let hide: FacetDisplay['hide']
  for (const display of displays) {
    order ??= display.order
    hide ??= display.hide
    for (const [name, values] of Object.entries(display.facets ?? {})) {
      if (!facets.has(name)) facets.set(name, values)
    }
  }
  return {
    ...(order === undefined ? {} : { order }),
    ...(hide === undefined ? {} : { hide }),
    facets: Object.fromEntries(facets),
  }
}

/**
 * What a display means for the facets of one answer. Facets that the answer does not have are left
 * out, so a display outlives changes of the schema.
 *
 * @param names of the facets of the answer, in their order
 */
export function shownFacets(display: FacetDisplay, names: readonly string[]): ShownFacets {
  const present = new Set(names)
  const hidden = new Set(display.hide)
  const first = (display.order ?? []).filter((name) => present.has(name))
  const order = [...new Set([...first, ...present])].filter((name) => !hidden.has(name))
  const facets = Object.entries(display.facets ?? {}).filter(
    ([name]) => present.has(name) && !hidden.has(name),
  )
  return { order, facets: Object.fromEntries(facets) }
}
