import { ApiError, type ErrorDetail } from '@aisle/contract'
import {
  conversionFailed,
  conversionFault,
  CONVERSION_FAULTS_MAX,
  plannedRedefinition,
} from '../../domain/documents/schema-conversion.ts'
import { redefinedSchema } from '../../domain/documents/redefine-fields.ts'
import type { DeclaredField } from '../../domain/documents/schema-rules.ts'
import { requireStamp } from '../../domain/documents/schema-state.ts'
import { patternObject } from '../../domain/documents/nested-fields.ts'
import type { FieldsChange } from '../../ports/catalog/catalog-writer.ts'
import type { DocumentStore } from '../../ports/catalog/document-store.ts'
import { schemaStateOf, type StoreState } from './store-state.ts'
import type { StoreTable } from './store-table.ts'

/** Documents and bytes that one turn on the writer's loop checks. */
const CHECKED_DOCUMENTS = 250
const CHECKED_BYTES = 256 * 1024

interface RedefinitionRequest {
  readonly state: StoreState
  readonly fields: readonly DeclaredField[]
  /** See `CatalogWriter.changeSchema`. */
  readonly expected: string | undefined
}

/**
 * A request to redefine fields of a store. All documents are checked first, in turns between other
 * writes; documents written meanwhile must fit the fields as well (`state.redefining`). Then the
 * re-analysis begins.
 */
export class Redefinition {
  readonly #documents: DocumentStore
  readonly #table: StoreTable
  readonly #state: StoreState
  readonly #expected: string | undefined
  readonly #catalog: number
  readonly #requested: readonly DeclaredField[]
  /** Of this request, and of an earlier one that is not complete; undefined: as in force. */
  readonly #fields: readonly DeclaredField[] | undefined
  readonly #change: FieldsChange
  /** The docKey to go on from; undefined: all are checked. */
  #from: number | undefined = 0
  readonly #end: number
  readonly #faults: ErrorDetail[] = []

  /**
   * @param request its state is that of a store that no other request redefines
   * @throws ApiError invalid_schema, schema_not_defined, unavailable, precondition_failed
   */
  constructor(documents: DocumentStore, table: StoreTable, request: RedefinitionRequest) {
    const { state, fields: requested, expected } = request
    requireStamp(expected, schemaStateOf(state.row))
    const { row, counters } = state
    if (row.schema === undefined) {
      throw new ApiError('schema_not_defined', 'Cannot change the schema: the store has none yet')
    }
    if (state.redefining !== undefined) {
      const message = 'Cannot change the schema: another change of it is being checked'
      throw new ApiError('unavailable', message, { retryAfterSeconds: 2 })
    }
    this.#documents = documents
    this.#table = table
    this.#state = state
    this.#expected = expected
    this.#catalog = row.catalog
    this.#requested = requested
    const { fields, change, isChecked } = plannedRedefinition(
      row.schema,
      row.reanalysis?.fields,
      requested,
    )
    this.#fields = fields
    this.#change = change
    if (counters.docCount === 0 || !isChecked) this.#from = undefined
    this.#end = counters.nextDocKey - 1
    state.redefining = fields ?? []
  }

  /**
   * One turn. Call `end` after the last one.
   * @returns undefined if there is more to do
   * @throws ApiError schema_conversion_failed; unavailable if the documents were replaced meanwhile
   */
  async turn(): Promise<FieldsChange | undefined> {
    const { row } = this.#state
    if (this.#table.find(row.storeId) !== this.#state || row.catalog !== this.#catalog) {
      const message =
        'Cannot change the schema: the documents of the store were replaced in the meantime'
      throw new ApiError('unavailable', message, { retryAfterSeconds: 2 })
    }
    if (this.#from === undefined) return this.#begin()
    const inForce = row.schema!
    const next = redefinedSchema(inForce, this.#fields)
    const page = this.#documents.scan(
      row.catalog,
      { from: this.#from, to: this.#end },
      CHECKED_DOCUMENTS,
      CHECKED_BYTES,
    )
    for (const document of page.documents) {
      const fault = conversionFault(document, inForce, next)
      if (fault !== undefined) this.#faults.push(fault)
      if (this.#faults.length === CONVERSION_FAULTS_MAX) throw conversionFailed(this.#faults)
    }
    this.#from = page.next
    if (this.#from === undefined && this.#faults.length > 0) throw conversionFailed(this.#faults)
    return undefined
  }

  end(): void {
    this.#state.redefining = undefined
  }

  async #begin(): Promise<FieldsChange> {
    const { row, counters } = this.#state
    requireStamp(this.#expected, schemaStateOf(row))
    const fields = this.#fields
    // Fields may have been added meanwhile.
    const { schema } = plannedRedefinition(row.schema!, row.reanalysis?.fields, this.#requested)
    const next = redefinedSchema(schema, fields)
    const isPattern = ({ name }: DeclaredField): boolean => patternObject(name) !== undefined
    if (counters.docCount === 0 && fields !== undefined) {
      await this.#table.switchCatalog(this.#state, next)
    } else if (fields?.every(isPattern) === true) {
      // Documents keep the fields that a pattern has added.
      await this.#table.redefine(this.#state, undefined, next)
    } else if (schema !== row.schema || fields !== undefined || row.reanalysis?.fields) {
      await this.#table.redefine(this.#state, fields, schema)
    }
    return this.#change
  }
}
