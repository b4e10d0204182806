import type { DateOrder } from './date-text.ts'
import type { NumberFormat } from './number-text.ts'
import type { PathMark } from './path-text.ts'

/** Converts the values of a column to values of its field: one decision for the whole column. */
export interface Reading {
  readonly numbers?: NumberFormat
  readonly dates?: DateOrder
  /** Words such as `N/A` mean "no value". */
  readonly skipsNothing?: true
  /** Strip HTML tags. */
  readonly stripsHtml?: true
  /** Split paths into levels; the field gets the deepest name. */
  readonly path?: PathMark
  /** Turn an object into a list of `name: value`, one per member. */
  readonly listsMembers?: true
  /** The field for the currency of an amount. */
  readonly currencyField?: string
}
