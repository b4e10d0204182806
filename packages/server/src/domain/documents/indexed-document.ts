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
    return { docKey, id, values: checkDocument(json, id, schema).values }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { docKey, id, values: [] }
  }
}
