import type { SchemaFieldRequest, StoreSchema } from '@aisle/client'
import type { DateOrder } from '../cells/date-text.ts'
import type { NumberFormat } from '../cells/number-text.ts'
import type { Reading } from '../cells/reading.ts'
import type { Fault } from '../profile/value-stats.ts'
import type { FieldType, Question } from './decide-column.ts'

export interface ProposeOptions {
  /** Column -> field; an empty one leaves the column out. */
  readonly mapping: ReadonlyMap<string, string>
  readonly idColumn: string
  /** The store's, when it has one. */
  readonly schema?: StoreSchema | undefined
  /** Types that the user chose, by field. */
  readonly types?: ReadonlyMap<string, FieldType> | undefined
  /** By column; '' is for all of them. */
  readonly numbers?: ReadonlyMap<string, NumberFormat> | undefined
  readonly dates?: ReadonlyMap<string, DateOrder> | undefined
  readonly keepHtml?: boolean | undefined
  /** The documents are sent as they are: nothing is converted. */
  readonly asIs?: boolean | undefined
}

/** A column of the file, or a member of JSON rows by its path, and what becomes of it. */
export interface ProposedColumn {
  readonly path: string
  /** Empty: it is left out. */
  readonly target: string
  /** The field that it goes to; undefined when it is left out. */
  readonly field: SchemaFieldRequest | undefined
  /** Levels of categories, a currency: fields that come with it. */
  readonly companions: readonly SchemaFieldRequest[]
  readonly isNew: boolean
  readonly why: string
  readonly reading: Reading
  /** JSON values have to be changed for the field to take them. */
  readonly isConverted: boolean
  /** ISO 4217, of amounts that name theirs. */
  readonly currencies: readonly string[]
  readonly faults: readonly Fault[]
  readonly faultCount: number
  readonly question: Question | undefined
  /** Its numbers have marks, so that their format matters. */
  readonly hasFormat: boolean
  readonly valueCount: number
  /** Share of the rows without a value, 0..1. */
  readonly emptyShare: number
  readonly examples: readonly string[]
}

/** Which schema a file suggests, and how its values become those of the fields. */
export interface Proposal {
  readonly columns: readonly ProposedColumn[]
  /** Those that the store does not have, objects before what is in them. */
  readonly fields: readonly SchemaFieldRequest[]
  /** Of all columns of a table; of JSON rows those that change their name or are left out. */
  readonly mapping: ReadonlyMap<string, string>
  /** By column, or by the path in JSON rows. */
  readonly readings: ReadonlyMap<string, Reading>
  /** Members beyond the named limits are left out, too. */
  readonly ignoresUnknown: boolean
  /** Members that the schema does not have are left out where they are empty. */
  readonly dropsEmpty: boolean
}
