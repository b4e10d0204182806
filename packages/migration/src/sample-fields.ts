import { guessFields } from '@aisle/import'
import { isExactNumber } from '@aisle/client'
import type { SchemaFieldRequest } from '@aisle/client'
import { isObject } from '@aisle/contract/is-object'
import { sourceOf } from './document-writer.ts'

/** Objects in objects that are looked into, at most; the guess of an import looks no further. */
const DEPTH_MAX = 16

/**
 * The fields that the first documents suggest, by path: objects with what is in them, and `specs.*`
 * for one that has very many members.
 *
 * @param isValue a path whose object is one value
 */
export function sampleFields(
  sample: readonly string[],
  isValue: (path: string) => boolean = () => false,
): Map<string, SchemaFieldRequest> {
  const rows = sample.map((text) => {
    const data = withWholes(sourceOf(text), '', isValue, 0)
    // Wrapped, so that members called `id` or `data` are fields like others.
    return { kind: 'json' as const, text: JSON.stringify({ data }) }
  })
  return new Map(guessFields(rows).map((field) => [field.name, field]))
}

/** With a text for each object that is one value. */
function withWholes(
  value: unknown,
  path: string,
  isValue: (path: string) => boolean,
  depth: number,
): unknown {
  if (Array.isArray(value)) return value.map((one) => withWholes(one, path, isValue, depth))
  // Numbers with all their digits are objects too.
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
