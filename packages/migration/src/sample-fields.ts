import { guessFields } from '@aisle/import'
import { isExactNumber, type SchemaFieldRequest } from '@aisle/client'
import { isObject } from '@aisle/contract/is-object'
import { sourceOf } from './document-writer.ts'

/** Maximum depth of objects; the guess of an import goes no deeper. */
const DEPTH_MAX = 16

/**
 * Infers fields from the first documents, by path: objects with their members, and `specs.*` for an
 * object with very many members.
 *
 * @param isValue a path whose object is one value
 */
export function sampleFields(
  sample: readonly string[],
  isValue: (path: string) => boolean = () => false,
): Map<string, SchemaFieldRequest> {
  const rows = sample.map((text) => {
    const data = withWholes(sourceOf(text), '', isValue, 0)
    // Wrapped, so that members called `id` or `data` are ordinary fields.
    return { kind: 'json' as const, text: JSON.stringify({ data }) }
  })
  return new Map(guessFields(rows).map((field) => [field.name, field]))
}

/** Replaces each object that is one value by a text. */
function withWholes(
  value: unknown,
  path: string,
  isValue: (path: string) => boolean,
  depth: number,
): unknown {
  if (Array.isArray(value)) return value.map((one) => withWholes(one, path, isValue, depth))
  // Numbers with all their digits are objects as well.
  if (!isObject(value) || isExactNumber(value)) return value
  if (isValue(path) || depth > DEPTH_MAX) return '{}'
  const start = path === '' ? '' : `${path}.`
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [
      member,
      withWholes(one, start + member, isValue, depth + 1),
    ]),
  )
}
