import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, type ErrorDetail } from '@aisle/contract'
import {
  conversionFailed,
  conversionFault,
  CONVERSION_FAULTS_MAX,
  plannedRedefinition,
  redefinedSchema,
  type PlannedRedefinition,
  type SchemaState,
} from '@aisle/server/domain'
import type { DeclaredField, StoreStatistics } from '@aisle/server/ports'
import type { ProductRequests } from '../opensearch/product-requests.ts'
import type { StoreDocuments } from '../stores/store-places.ts'
import { placesOf } from './known-places.ts'
import { MomentScan } from './moment-scan.ts'

/** Bytes of documents that are checked at once. */
const CHECKED_BYTES = 256 * 1024

/**
 * What a request to redefine fields changes, by the newest state.
 *
 * @throws ApiError schema_not_defined, invalid_schema; unavailable while another one is checked
 */
export function beginRedefinition(
  { schema, redefinition }: StoreDocuments,
  requested: readonly DeclaredField[],
): PlannedRedefinition {
  if (schema === undefined) {
    throw new ApiError('schema_not_defined', 'Cannot change the schema: the store has none yet')
  }
  if (redefinition?.isChecked === false) {
    const message = 'Cannot change the schema: another change of it is being checked'
    throw new ApiError('unavailable', message, { retryAfterSeconds: 2 })
  }
  return plannedRedefinition(schema, redefinition?.fields, requested)
}

export function schemaStateOf({ schema, redefinition }: StoreDocuments): SchemaState {
  return { schema, redefined: redefinition?.isChecked === true ? redefinition.fields : undefined }
}

/** The same store with the schema that serves. A move that brings another one ends. */
export function withoutRedefinition(before: StoreDocuments, nowMs: number): StoreDocuments {
  const { move, left, redefinition: _, ...rest } = before
  if (move?.fields === undefined) return { ...rest, left, move }
  return { ...rest, left: [...left, ...placesOf({ place: undefined, move }, nowMs)] }
}

/**
 * Checks that all documents fit fields that are being redefined.
 *
 * @param documents with a place, a schema and a redefinition
 * @param isStill whether the store still has these documents
 * @throws ApiError schema_conversion_failed, unavailable
 */
export async function checkConversion(
  requests: ProductRequests,
  { place, schema, redefinition }: StoreDocuments,
  isStill: () => boolean,
): Promise<void> {
  const next = redefinedSchema(schema!, redefinition!.fields)
  const faults: ErrorDetail[] = []
  const moment = await MomentScan.open(requests, place!, undefined, -1)
  try {
    for (;;) {
      const documents = await moment.next(CHECKED_BYTES)
      if (documents.length === 0) break
      for (const document of documents) {
        const fault = conversionFault(document, schema!, next)
        if (fault !== undefined) faults.push(fault)
        if (faults.length === CONVERSION_FAULTS_MAX) throw conversionFailed(faults)
      }
      await nextTurn()
      if (!isStill()) throw documentsReplaced()
    }
  } finally {
    moment.close()
  }
  if (faults.length > 0) throw conversionFailed(faults)
}

/** The progress of rewriting all documents. */
export function reanalysisOf(
  { language, move, redefinition }: StoreDocuments,
  docCount: number,
): NonNullable<StoreStatistics['reanalysis']> {
  return {
    language,
    ...(redefinition?.isChecked === true ? { fields: redefinition.fields } : {}),
    documentsDone: move?.documentsDone ?? 0,
    // A move that has just begun has not counted them.
    documentsTotal: Math.max(move?.documentsTotal ?? 0, docCount),
    failed: false,
  }
}

export function documentsReplaced(): ApiError {
  const message =
    'Cannot change the schema: the documents of the store were replaced in the meantime'
  return new ApiError('unavailable', message, { retryAfterSeconds: 2 })
}
