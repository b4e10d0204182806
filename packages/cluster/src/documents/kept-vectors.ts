import type { IndexDocument, Schema } from '@aisle/engine'
import { embeddedText, textDigest } from '@aisle/server/domain'
import type { OwnVector } from '../opensearch/own-vectors.ts'

/** A text without words to read has no vector. */
const NO_CODES = new Int8Array(0)

/**
 * What models have made of the text of a document as it is now. Each write of a document goes
 * through here, so that one that does not change the text keeps its vectors.
 *
 * @param made of this document, of its text now or of an earlier one
 */
export function keptVectors(
  schema: Schema,
  values: IndexDocument['values'],
  made: readonly OwnVector[],
): OwnVector[] {
  return (schema.spaces ?? []).flatMap(({ number: space, fields }) => {
    const text = embeddedText(values, schema, fields)
    const digest = textDigest(text)
    const known = made.find((one) => one.space === space && digest.equals(one.digest))
    if (known !== undefined) return [known]
    return text === '' ? [{ space, digest, codes: NO_CODES }] : []
  })
}
