import type { SchemaField, SchemaFieldRequest, StoreSchema } from '@aisle/contract'

export type FieldChange =
  | { readonly kind: 'same'; readonly name: string; readonly after: SchemaField }
  | { readonly kind: 'added'; readonly name: string; readonly after: SchemaField }
  | {
      readonly kind: 'changed'
      readonly name: string
      readonly before: SchemaField
      readonly after: SchemaField
    }
  | { readonly kind: 'removed'; readonly name: string; readonly before: SchemaField }

/** The changes of a draft, field by field: its own fields in order, then the removed ones. */
export function schemaChanges(
  { fields }: StoreSchema,
  draft: readonly SchemaFieldRequest[],
): FieldChange[] {
  const known = new Map(fields.map((field) => [field.name, field]))
  const kept = draft.map((given): FieldChange => {
    const after = wholeField(given)
    const before = known.get(given.name)
    known.delete(given.name)
    if (before === undefined) return { kind: 'added', name: given.name, after }
    return isSameField(before, after)
      ? { kind: 'same', name: given.name, after }
      : { kind: 'changed', name: given.name, before, after }
  })
  const removed = [...known.values()].map((before): FieldChange => ({
    kind: 'removed',
    name: before.name,
    before,
  }))
  return [...kept, ...removed]
}

export type ChangeMode = 'none' | 'additive' | 'change' | 'replace'

/**
 * Adding and changing fields keeps the products. Removing one, or making it an object, replaces the
 * schema and deletes the products.
 */
export function changeMode(changes: readonly FieldChange[]): ChangeMode {
  const isReplaced = (change: FieldChange): boolean =>
    change.kind === 'removed' ||
    (change.kind === 'changed' && objectKind(change.before) !== objectKind(change.after))
  if (changes.some(isReplaced)) return 'replace'
  if (changes.some(({ kind }) => kind === 'changed')) return 'change'
  return changes.some(({ kind }) => kind === 'added') ? 'additive' : 'none'
}

function objectKind({ type }: SchemaField): string {
  return type === 'object' || type === 'object[]' ? type : 'value'
}

export function wholeField(field: SchemaFieldRequest): SchemaField {
  const { name, type, ...roles } = field
  return { name, type, searchable: false, facet: false, sort: false, ...roles }
}

function isSameField(before: SchemaField, after: SchemaField): boolean {
  return (
    before.type === after.type &&
    before.searchable === after.searchable &&
    before.facet === after.facet &&
    before.sort === after.sort &&
    before.language === after.language &&
    (before.takes_single ?? false) === (after.takes_single ?? false) &&
    sameSigns(before.symbols_to_index, after.symbols_to_index) &&
    sameSigns(before.token_separators, after.token_separators)
  )
}

/** The same characters in any order; a list without any is not the same as none. */
function sameSigns(before: readonly string[] | undefined, after: readonly string[] | undefined) {
  const signs = (list: readonly string[] | undefined) => list && [...new Set(list)].sort().join('')
  return signs(before) === signs(after)
}

/** `string, search, filter` */
export function fieldWords(field: SchemaField): string {
  const { type, searchable, facet, sort, language, pattern } = field
  const { symbols_to_index: symbols, token_separators: separators } = field
  return [
    type,
    ...(searchable ? ['search'] : []),
    ...(facet ? ['filter'] : []),
    ...(sort ? ['sort'] : []),
    ...(language === undefined ? [] : [`language ${language}`]),
    ...(symbols === undefined ? [] : [`symbols ${symbols.join(' ') || 'none'}`]),
    ...(separators === undefined ? [] : [`separators ${separators.join(' ') || 'none'}`]),
    ...(field.takes_single === true ? ['single values too'] : []),
    ...(pattern === undefined ? [] : [`added by ${pattern}`]),
  ].join(', ')
}

/** A schema as JSON, without the roles that a field does not have. */
export function schemaText(fields: readonly SchemaFieldRequest[]): string {
  const lines = fields.map((field) => {
    const given = Object.entries(field).filter(([, value]) => value !== false)
    return `  ${JSON.stringify(Object.fromEntries(given))}`
  })
  return lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n]`
}

/** @returns undefined if it is not a list of fields; the service checks each field */
export function parseSchema(text: string): SchemaFieldRequest[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const list: unknown =
    typeof value === 'object' && value !== null && 'fields' in value ? value.fields : value
  if (!Array.isArray(list)) return undefined
  const isField = (one: unknown): boolean =>
    typeof one === 'object' &&
    one !== null &&
    typeof (one as { name?: unknown }).name === 'string' &&
    typeof (one as { type?: unknown }).type === 'string'
  return list.every(isField) ? (list as SchemaFieldRequest[]) : undefined
}

/** Appends the fields that a file suggests; known fields stay as they are. */
export function withGuessed(
  draft: readonly SchemaFieldRequest[],
  guessed: readonly SchemaFieldRequest[],
): SchemaFieldRequest[] {
  const known = new Set(draft.map(({ name }) => name))
  return [...draft, ...guessed.filter(({ name }) => !known.has(name) && name !== 'id')]
}
