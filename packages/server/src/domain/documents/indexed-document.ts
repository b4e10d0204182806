import { ApiError } from '@aisle/contract'
import type { IndexDocument, Schema } from '@aisle/engine'
import { checkDocument } from './document-rules.ts'

/**
 * Reads a stored document for the index. One that the current rules reject (an older version
 * accepted it) counts as one without values: it stays stored and readable, but cannot be found by
 * its content.
 */
export function toIndexDocument(
  { json, ...version }: Omit<IndexDocument, 'values'> & { json: Uint8Array },
  schema: Schema,
): IndexDocument {
  try {
    const { values } = checkDocument(json, version.id, schema)
    // A node of a cluster may read a document that another one has written with newer fields.
    return { ...version, values: values.slice(0, schema.fields.length) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { ...version, values: [] }
  }
}
