import { isObject } from '@aisle/contract/is-object'

/** Members of foreign JSON of any shape. Wrong types count as absent. */
export type Json = Readonly<Record<string, unknown>>

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((one) => typeof one === 'string')
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Some exports wrap their list: `{"hits": [...]}`, `{"synonyms": [...]}`. */
export function listIn(value: unknown, ...members: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value
  const object = objectOf(value)
  const member = members.find((name) => Array.isArray(object[name]))
  return member === undefined ? [] : listOf(object[member])
}
