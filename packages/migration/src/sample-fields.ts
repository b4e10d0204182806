import { guessFields } from '@aisle/import'
import { isExactNumber } from '@aisle/client'
import type { SchemaFieldRequest } from '@aisle/client'
import { isObject } from '@aisle/contract/is-object'
import { sourceOf } from './document-writer.ts'
import { flatten } from './flatten.ts'

/** What the first documents say about a path. */
export interface SampledField {
  readonly field: SchemaFieldRequest
  /** Its values come from a list of objects. */
  readonly isApart: boolean
}

/**
 * The fields that the first documents suggest, by path.
 *
 * @param isValue a path whose object is one value
 */
export function sampleFields(
  sample: readonly string[],
  isValue: (path: string) => boolean = () => false,
): Map<string, SampledField> {
  const apart = new Set<string>()
  const rows = sample.map((text) => {
    const flat = flatten(sourceOf(text), isValue)
    for (const path of flat.apart) apart.add(path)
    const values = [...flat.values].map(([path, value]) => [path, isWhole(value) ? '{}' : value])
    const fields = Object.fromEntries(values) as Record<string, unknown>
    // Wrapped, so that members called `id` or `data` are fields like others.
    return { kind: 'json' as const, text: JSON.stringify({ data: fields }) }
  })
  const guessed = guessFields(
    { columns: undefined, sample: rows },
    { mapping: new Map(), idColumn: '', generateIds: false, listSeparator: '' },
  )
  return new Map(
    guessed.map(({ field }) => [field.name, { field, isApart: apart.has(field.name) }]),
  )
}

/** An object that is one value; numbers with all their digits are objects too. */
function isWhole(value: unknown): boolean {
  return isObject(value) && !isExactNumber(value)
}

export const APART_NOTE =
  'comes from a list of objects: its values are a list of their own, and no longer tied to those of the other members'
