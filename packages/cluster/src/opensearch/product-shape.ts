import type { Analyzer, Schema } from '@aisle/engine'
import type { SlotMap } from './field-slots.ts'

/** What all bodies of a scope have in common. */
export interface ProductShape {
  readonly scope: string
  readonly schema: Schema
  readonly slots: SlotMap
  readonly analyzer: Analyzer
  /** Whether the place has documents of older versions, or may get some. */
  readonly isOutdated?: boolean
}
