import type { FacetDisplay, FacetValueDisplay, StoreSchema } from '@aisle/contract'
import { isObject } from '@aisle/contract/is-object'

/** A facet of the store, as it is shown. */
export interface ArrangedFacet {
  readonly name: string
  readonly isHidden: boolean
  readonly values: FacetValueDisplay
}

/** Names of the facets of a schema: places are filtered by, not counted. */
export function facetNames({ fields }: StoreSchema, omitted: readonly string[] = []): string[] {
  return fields.flatMap(({ name, type, facet }) =>
    facet && !type.startsWith('geopoint') && !omitted.includes(name) ? [name] : [],
  )
}

/** All facets of the store: ordered ones first, hidden ones last. */
export function arrangement(display: FacetDisplay, names: readonly string[]): ArrangedFacet[] {
  const { order = [], hide = [], facets = {} } = display
  const first = order.filter((name) => names.includes(name))
  const all = [...new Set([...first, ...names])].map((name) => ({
    name,
    isHidden: hide.includes(name),
    values: (Object.hasOwn(facets, name) ? facets[name] : undefined) ?? {},
  }))
  return [...all.filter((one) => !one.isHidden), ...all.filter((one) => one.isHidden)]
}

/** Moves a facet to a place in the list of all. Those above it are in the order from now on. */
export function withFacetAt(
  display: FacetDisplay,
  names: readonly string[],
  name: string,
  place: number,
): FacetDisplay {
  const shown = arrangement(display, names).flatMap((one) => (one.isHidden ? [] : one.name))
  return plain({ ...display, order: movedTo(shown, name, place) })
}

/** A hidden facet has no place in the order. */
export function withFacetHidden(
  display: FacetDisplay,
  name: string,
  isHidden: boolean,
): FacetDisplay {
  const { order = [], hide = [] } = display
  const others = hide.filter((one) => one !== name)
  return plain({
    ...display,
    order: order.filter((one) => one !== name),
    hide: isHidden ? [...others, name] : others,
  })
}

export function withFacetValues(
  display: FacetDisplay,
  name: string,
  values: FacetValueDisplay,
): FacetDisplay {
  const { [name]: _, ...others } = display.facets ?? {}
  const kept = plainValues(values)
  const facets = Object.keys(kept).length === 0 ? others : { ...others, [name]: kept }
  return plain({ ...display, facets })
}

/** A value is pinned, hidden, or neither. */
export function withValue(
  values: FacetValueDisplay,
  value: string,
  as: 'pin' | 'hide' | undefined,
): FacetValueDisplay {
  const { pin = [], hide = [] } = values
  const rest = {
    pin: pin.filter((one) => one !== value),
    hide: hide.filter((one) => one !== value),
  }
  return plainValues({ ...values, ...rest, ...(as && { [as]: [...rest[as], value] }) })
}

/** A list with an entry at another place. */
export function movedTo<Entry>(list: readonly Entry[], entry: Entry, place: number): Entry[] {
  const others = list.filter((one) => one !== entry)
  return others.toSpliced(Math.max(0, Math.min(place, others.length)), 0, entry)
}

/** The merge patch that turns one display into another; `null` if nothing is left of it. */
export function displayPatch(before: FacetDisplay, after: FacetDisplay): object | null {
  return Object.keys(after).length === 0 ? null : patchTo(before, after)
}

function patchTo(before: object, after: object): object {
  const was = new Map(Object.entries(before))
  const gone = [...was.keys()].filter((name) => !Object.hasOwn(after, name))
  const changed = Object.entries(after).map(([name, value]) => {
    const old = was.get(name)
    return [name, isObject(value) && isObject(old) ? patchTo(old, value) : value]
  })
  return Object.fromEntries([...gone.map((name) => [name, null]), ...changed])
}

/** Without lists and objects that say nothing. */
function plain({ order = [], hide = [], facets = {} }: FacetDisplay): FacetDisplay {
  return {
    ...(order.length === 0 ? {} : { order }),
    ...(hide.length === 0 ? {} : { hide }),
    ...(Object.keys(facets).length === 0 ? {} : { facets }),
  }
}

function plainValues({ sort, pin = [], hide = [], limit }: FacetValueDisplay): FacetValueDisplay {
  const isPinned = sort === 'pinned' && pin.length === 0
  return {
    ...(sort === undefined || isPinned ? {} : { sort }),
    ...(pin.length === 0 ? {} : { pin }),
    ...(hide.length === 0 ? {} : { hide }),
    ...(limit === undefined ? {} : { limit }),
  }
}

/** "brand, size first; 2 hidden; values of size arranged". */
export function displayWords(display: FacetDisplay): string {
  const { order = [], hide = [], facets = {} } = display
  const arranged = Object.keys(facets)
  const parts = [
    ...(order.length === 0 ? [] : [`${order.slice(0, NAMES_SHOWN).join(', ')} first`]),
    ...(hide.length === 0 ? [] : [`${hide.slice(0, NAMES_SHOWN).join(', ')} hidden`]),
    ...(arranged.length === 0
      ? []
      : [`values of ${arranged.slice(0, NAMES_SHOWN).join(', ')} arranged`]),
  ]
  return parts.join('; ')
}

const NAMES_SHOWN = 3
