import { hash } from 'node:crypto'
import { EMBEDDED_TEXT_MAX_CHARS } from '@aisle/contract'
import { elementType, fieldValue, type IndexDocument, type Schema } from '@aisle/engine'
import { fieldOrdinal } from './field-lookup.ts'

/** Separates the levels of a category path: `Camping > Stoves`. */
const LEVEL = '>'

/**
 * The text of a document that a language model reads: the values of fields, in their order. Of a
 * list of category paths, only the deepest level counts, because the others are as general as the
 * catalog.
 *
 * @param fields names; those that the schema lacks, or that hold no text, add nothing
 * @returns empty if there is nothing to read
 */
export function embeddedText(
  values: IndexDocument['values'],
  schema: Schema,
  fields: readonly string[],
): string {
  const parts = fields.flatMap((name) => {
    const ordinal = fieldOrdinal(schema, name)
    if (ordinal === undefined || elementType(schema.fields[ordinal]!.type) !== 'string') return []
    const value = fieldValue(values, ordinal)
    if (value === undefined) return []
    const texts = (Array.isArray(value) ? value : [value]) as readonly string[]
    return deepest(texts).map((text) => text.trim())
  })
  const text = parts.filter((part) => part !== '').join('. ')
  if (text.length <= EMBEDDED_TEXT_MAX_CHARS) return text
  // Not in the middle of a character.
  return text.slice(0, EMBEDDED_TEXT_MAX_CHARS).toWellFormed()
}

/** Identifies a text: 16 bytes. */
export function textDigest(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 16)
}

function deepest(texts: readonly string[]): readonly string[] {
  let path: readonly string[] = []
  for (const text of texts) {
    const levels = text.split(LEVEL)
    if (levels.length > 1 && levels.length > path.length) path = levels
  }
  return path.length === 0 ? texts : path.slice(-1)
}
