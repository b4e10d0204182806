import { COLLECTION_FIELD } from '@aisle/contract'
import { movingDates, type DateContext } from '../values/date-literal.ts'

/** The collections of a store, for filters that name them: the same object until one changes. */
export interface Collections {
  /** Undefined: there is no collection with this name. */
  filterOf(name: string): string | undefined
  /** The filters that contain `now`. */
  readonly moving: readonly string[]
}

export const NO_COLLECTIONS: Collections = { filterOf: () => undefined, moving: [] }

/** The collections with these filters. */
export function collectionsOf(filters: ReadonlyMap<string, string>): Collections {
  return {
    filterOf: (name) => filters.get(name),
    moving: [...filters.values()].filter((filter) => filter.includes('now')),
  }
}

/** The time zone of a request must not change what is in a collection. */
export function collectionDates({ nowMs }: DateContext): DateContext {
  return { nowMs, timeZone: 'UTC' }
}

/** The same as `movingDates`, for texts that may name collections. */
export function movingDatesWith(
  { moving }: Collections,
  texts: readonly (string | undefined)[],
  dates: DateContext,
): readonly string[] {
  const own = movingDates(texts, dates)
  if (moving.length === 0) return own
  const isNamed = texts.some((text) => text?.includes(COLLECTION_FIELD) === true)
  return isNamed ? [...own, ...movingDates(moving, collectionDates(dates))] : own
}
