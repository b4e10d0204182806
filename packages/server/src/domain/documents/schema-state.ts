import { createHash } from 'node:crypto'
import { ApiError } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import type { DeclaredField } from './schema-rules.ts'

/** The schema of a store, and the fields that are being redefined. */
export interface SchemaState {
  readonly schema: Schema | undefined
  readonly redefined?: readonly DeclaredField[] | undefined
}

/** Identifies what a change of the schema was decided on. */
export function schemaStamp({ schema, redefined }: SchemaState): string {
  const json = JSON.stringify([schema?.fields, schema?.patterns ?? [], redefined])
  return createHash('sha256').update(json).digest('base64url')
}

/**
 * @param expected the stamp that a change was decided on; absent: any
 * @throws ApiError precondition_failed
 */
export function requireStamp(expected: string | undefined, state: SchemaState): void {
  if (expected === undefined || expected === schemaStamp(state)) return
  throw new ApiError(
    'precondition_failed',
    'Nothing was changed: the schema has changed since you read it',
  )
}
