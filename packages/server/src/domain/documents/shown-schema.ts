import type { Schema } from '@aisle/engine'
import { isNamed } from './nested-fields.ts'

interface Shown {
  readonly schema: Schema
  readonly shown: Schema
}

/** Cached by the list of a store, which is the same object until its settings change. */
const shownByList = new WeakMap<readonly string[], Shown>()

/**
 * Returns the schema for answers that list values: omitted fields are neither facets nor sortable,
 * and thus cannot be groups. Ordinals stay.
 */
export function shownSchema(schema: Schema, omitted: readonly string[] = []): Schema {
  if (omitted.length === 0) return schema
  const before = shownByList.get(omitted)
  if (before?.schema === schema) return before.shown
  const fields = schema.fields.map((field) =>
    isNamed(field.name, omitted, schema) ? { ...field, facet: false, sort: false } : field,
  )
  const shown = { ...schema, fields }
  shownByList.set(omitted, { schema, shown })
  return shown
}
