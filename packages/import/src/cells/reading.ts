import type { DateOrder } from './date-text.ts'
import type { NumberFormat } from './number-text.ts'
import type { PathMark } from './path-text.ts'

/** How the values of one column become those of its field: one decision for the whole column. */
export interface Reading {
  readonly numbers?: NumberFormat
  readonly dates?: DateOrder
  /** Words such as `N/A` are no value. */
  readonly skipsNothing?: true
  /** Tags are taken out of the texts. */
  readonly stripsHtml?: true
  /** Paths become levels, and the field has the deepest name. */
  readonly path?: PathMark
  /** An object becomes a list of `name: value`, one for each member. */
  readonly listsMembers?: true
  /** The field that the currency of an amount goes to. */
  readonly currencyField?: string
}
