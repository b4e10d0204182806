import { ApiError } from '@aisle/contract'
import type { IndexDocument, Schema } from '@aisle/engine'
import { checkDocument } from './document-rules.ts'

/**
 * A stored document as the index takes it. One that today's rules refuse (an older version let it
 * in) counts as one without values: it is kept and can be read, but not found by its content.
 */
export function toIndexDocument(
  { docKey, id, json }: { docKey: number; id: string; json: Uint8Array },
  schema: Schema,
): IndexDocument {
  try {
    const { values } = checkDocument(json, id, schema)
    // A node of a cluster may read what another one has written with newer fields.
    return { docKey, id, values: values.slice(0, schema.fields.length) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { docKey, id, values: [] }
  }
}
