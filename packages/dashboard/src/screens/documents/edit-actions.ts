import type { DocumentEdit, SchemaField } from '@aisle/contract'
import { valueFault, isNumberType, withValue, type Product } from './product-values.ts'

export type ActionKind = 'set' | 'add' | 'subtract' | 'append' | 'take' | 'clear' | 'delete'

/** One action of a bulk edit, as it is put together on the page. */
export interface EditAction {
  readonly kind: ActionKind
  /** Full name; empty for `delete`. */
  readonly field: string
  /** JSON value; `undefined`: not filled in. */
  readonly value: unknown
}

export const ACTION_WORDS: Readonly<Record<ActionKind, string>> = {
  set: 'Set',
  add: 'Increase by',
  subtract: 'Decrease by',
  append: 'Add to list',
  take: 'Remove from list',
  clear: 'Remove field',
  delete: 'Delete products',
}

/** The actions that a field allows. Fields in lists of objects have none: the list is set. */
export function actionsOf({ type }: SchemaField): ActionKind[] {
  if (isNumberType(type)) return ['set', 'add', 'subtract', 'clear']
  if (type.endsWith('[]') && type !== 'object[]') return ['set', 'append', 'take', 'clear']
  return ['set', 'clear']
}

/** Fields that can be edited in bulk. */
export function editableFields(fields: readonly SchemaField[]): SchemaField[] {
  const lists = fields.filter(({ type }) => type === 'object[]').map(({ name }) => `${name}.`)
  return fields.filter(
    ({ name }) => !name.includes('#') && !lists.some((list) => name.startsWith(list)),
  )
}

function isWhole({ kind, value }: EditAction, field: SchemaField | undefined): boolean {
  if (kind === 'delete') return true
  if (field === undefined) return false
  if (kind === 'clear') return true
  return value !== undefined && actionFault({ kind, value, field: field.name }, field) === undefined
}

function actionFault({ kind, value }: EditAction, { type }: SchemaField): string | undefined {
  if (value === undefined || kind === 'clear' || kind === 'delete') return undefined
  return valueFault(value, type)
}

/** The `edit` of the request; undefined while nothing is filled in. */
export function editOf(
  actions: readonly EditAction[],
  fields: readonly SchemaField[],
): DocumentEdit | undefined {
  const byName = new Map(fields.map((field) => [field.name, field]))
  if (actions.some(({ kind }) => kind === 'delete')) return { delete: true }
  const whole = actions.filter((one) => isWhole(one, byName.get(one.field)))
  if (whole.length === 0 || whole.length < actions.length) return undefined
  let set: Product = {}
  const add: Record<string, unknown> = {}
  const remove: Record<string, unknown> = {}
  for (const { kind, field, value } of whole) {
    if (kind === 'set') set = withValue(set, pathOf(field, byName), value)
    else if (kind === 'add' || kind === 'append') add[field] = value
    else if (kind === 'subtract') add[field] = negated(value)
    else remove[field] = kind === 'clear' ? true : value
  }
  return {
    ...(Object.keys(set).length === 0 ? {} : { set: { ...set } }),
    ...(Object.keys(add).length === 0 ? {} : { add }),
    ...(Object.keys(remove).length === 0 ? {} : { remove }),
  }
}

function pathOf(name: string, byName: ReadonlyMap<string, SchemaField>): string[] {
  const dot = name.lastIndexOf('.')
  const holder = dot < 0 ? undefined : byName.get(name.slice(0, dot))
  if (holder?.type !== 'object') return [name]
  return [...pathOf(holder.name, byName), name.slice(dot + 1)]
}

function negated(value: unknown): number {
  return -Number(JSON.stringify(value))
}
