import type { SchemaFieldRequest, StoreSchema } from '@aisle/client'
import type { DateOrder } from '../cells/date-text.ts'
import type { NumberFormat } from '../cells/number-text.ts'
import type { Reading } from '../cells/reading.ts'
import type { Fault } from '../profile/value-stats.ts'
import type { FieldType, Question } from './decide-column.ts'

export interface ProposeOptions {
  /** Column -> field; empty: leave the column out. */
  readonly mapping: ReadonlyMap<string, string>
  readonly idColumn: string
  /** The schema of the store, if it has one. */
  readonly schema?: StoreSchema | undefined
  /** Types that the user chose, by field. */
  readonly types?: ReadonlyMap<string, FieldType> | undefined
  /** Number formats by column; '' applies to all of them. */
  readonly numbers?: ReadonlyMap<string, NumberFormat> | undefined
  readonly dates?: ReadonlyMap<string, DateOrder> | undefined
  readonly keepHtml?: boolean | undefined
  /** Documents are sent unchanged, without conversion. */
  readonly asIs?: boolean | undefined
}

/** A column of the file, or a member of JSON rows by its path, and its proposed field. */
export interface ProposedColumn {
  readonly path: string
  /** Name of the field; empty: left out. */
  readonly target: string
  /** The target field; undefined: left out. */
  readonly field: SchemaFieldRequest | undefined
  /** Additional fields: category levels, a currency. */
  readonly companions: readonly SchemaFieldRequest[]
  readonly isNew: boolean
  readonly why: string
  readonly reading: Reading
  /** Whether JSON values must be converted for the field. */
  readonly isConverted: boolean
  /** ISO 4217 code, if the amounts name their currency. */
  readonly currencies: readonly string[]
  readonly faults: readonly Fault[]
  readonly faultCount: number
  readonly question: Question | undefined
  /** Whether its numbers have separators, so that their format matters. */
  readonly hasFormat: boolean
  readonly valueCount: number
  /** Share of the rows without a value, 0..1. */
  readonly emptyShare: number
  readonly examples: readonly string[]
}

/** The schema that a file suggests, and how values are converted to its fields. */
export interface Proposal {
  readonly columns: readonly ProposedColumn[]
  /** New fields, objects before their members. */
  readonly fields: readonly SchemaFieldRequest[]
  /** All columns of a table; for JSON rows, only members that are renamed or left out. */
  readonly mapping: ReadonlyMap<string, string>
  /** Readings by column, or by path in JSON rows. */
  readonly readings: ReadonlyMap<string, Reading>
  /** Members to leave out, including those beyond the limits. */
  readonly ignoresUnknown: boolean
  /** Members to leave out where they are empty, because the schema lacks them. */
  readonly dropsEmpty: boolean
  /** For the setting `distinct` of a new store: the field that variants of one product share. */
  readonly distinct: string | undefined
}
