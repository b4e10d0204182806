import type { Field, FieldType, FieldValue, IndexDocument, Scalar, Schema } from '@aisle/engine'

/**
 * A catalog with every kind of field, and filter expressions for it, generated from random numbers
 * from 0 to 1.
 */
export type Random = () => number

export function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)]!
}

function field(name: string, type: FieldType, roles: string): Field {
  const has = (role: string): boolean => roles.includes(role)
  return { name, type, searchable: has('w'), facet: has('f'), sort: has('s') }
}

/** Ordinal of the list of objects; its members follow. */
const VARIANTS = 14

/** Roles: w = searchable (words), f = facet, s = sort. */
export const FUZZ_SCHEMA: Schema = {
  fields: [
    field('title', 'string', 'ws'),
    field('brand', 'string', 'wf'),
    field('about', 'string', 'w'),
    field('tags', 'string[]', 'wf'),
    field('price', 'float', 'fs'),
    field('stock', 'int32', 'fs'),
    field('serial', 'int64', 'fs'),
    field('in_stock', 'bool', 'f'),
    field('sizes', 'int32[]', 'f'),
    field('weights', 'float[]', 'f'),
    field('picture', 'string', ''),
    field('odd name', 'string', 'fs'),
    field('not', 'int32', 'f'),
    field('year', 'int32', 'w'),
    field('variants', 'object[]', ''),
    { ...field('variants.color', 'string[]', 'f'), ...inElements('string') },
    { ...field('variants.size', 'int32[]', 'f'), ...inElements('int32') },
  ],
}

function inElements(type: FieldType): Pick<Field, 'declaredType' | 'element'> {
  return { declaredType: type, element: { objects: VARIANTS, type } }
}

/** The members of the elements of `variants`, by name. */
const MEMBERS = FUZZ_SCHEMA.fields.flatMap(({ name, element }, ordinal) =>
  element === undefined
    ? []
    : [{ name: name.slice('variants.'.length), type: element.type, ordinal }],
)

const TEXTS = [
  'Nike',
  'nike air',
  'Über',
  'T-Shirt House',
  '',
  'sale',
  'red shoe',
  'Red running shoes',
  '10mm table',
  'straße',
  '東京',
  'x',
  '---',
  'Marks and Spencer',
  '12" pan `Big`',
  '{brand} x}',
]
const INT32 = [0, 1, -1, 3, 41, 2024, 2 ** 31 - 1, -(2 ** 31)]
const INT64 = [0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)]
const FLOATS = [0, -0, 1, 1.5, -2.25, 19.99, 1e21, 5e-324, 0.1]

function valueOf(type: FieldType, random: Random): FieldValue {
  if (type.endsWith('[]')) {
    const element = type.slice(0, -2) as FieldType
    const count = Math.floor(random() * 4)
    return Array.from({ length: count }, () => valueOf(element, random) as Scalar) as FieldValue
  }
  if (type === 'string') return pick(TEXTS, random)
  if (type === 'int32') return pick(INT32, random)
  if (type === 'int64') return pick(INT64, random)
  return type === 'float' ? pick(FLOATS, random) : random() < 0.5
}

/** Values are missing now and then. */
export function randomDocument(docKey: number, random: Random): IndexDocument {
  const values: IndexDocument['values'][number][] = FUZZ_SCHEMA.fields
    .slice(0, VARIANTS)
    .map(({ type }) => (random() < 0.2 ? undefined : valueOf(type, random)))
  if (random() < 0.2) return { docKey, id: `doc-${docKey}`, values }
  const elements = Array.from({ length: Math.floor(random() * 4) }, () => {
    const members = MEMBERS.filter(() => random() < 0.8)
    return new Map(members.map(({ type, ordinal }) => [ordinal, valueOf(type, random)]))
  })
  values[VARIANTS] = elements
  for (const { ordinal } of MEMBERS) {
    const all = elements.flatMap((one) => (one.get(ordinal) ?? []) as Scalar)
    values[ordinal] = all.length === 0 ? undefined : all
  }
  return { docKey, id: `doc-${docKey}`, values }
}

const BEYOND = ['2147483648', '-3000000000', '9223372036854775808', '-1e30', '1e400', '-1e400']
const ODD_NUMBERS = ['1999-12-31', '2.0', '1.5', '-0', '1e3', '007', 'NaN', '+1', '.5', '0x1']
const NUMBERS = [...INT32, ...INT64, ...FLOATS].map(String)

function writtenValue(type: FieldType, random: Random): string {
  if (random() < 0.03) return pick([...TEXTS, ...BEYOND, 'exists', 'null'], random)
  if (type.startsWith('bool')) return pick(['true', 'false'], random)
  if (/^(?:int|float)/.test(type)) {
    const chance = random()
    if (chance < 0.15) return pick(BEYOND, random)
    return chance < 0.25 ? pick(ODD_NUMBERS, random) : pick(NUMBERS, random)
  }
  const text = pick(TEXTS, random)
  const part = random() < 0.3 ? text.slice(0, 1 + Math.floor(random() * text.length)) : text
  const chance = random()
  if (chance < 0.4) return part
  const quote = chance < 0.7 ? '"' : '`'
  return (
    quote + part.replaceAll(/[\\`"]/g, (c) => (c === '\\' || c === quote ? `\\${c}` : c)) + quote
  )
}

function item(type: FieldType, random: Random): string {
  const value = writtenValue(type, random)
  const chance = random()
  if (chance < 0.6) return value
  if (!/^(?:int|float)/.test(type)) return `${value}*`
  if (chance < 0.8) return pick(['<', '<=', '>', '>='], random) + value
  const low = random() < 0.7 ? value : ''
  return `${low}..${random() < 0.7 ? writtenValue(type, random) : ''}`
}

function clause(random: Random): string {
  if (random() < 0.06) {
    const id = (): string => `doc-${Math.floor(random() * 80)}`
    return `id:${pick(['', '=', '!='], random)}${random() < 0.5 ? id() : `[${id()}, ${id()}]`}`
  }
  if (random() < 0.08) return `variants:{${inBraces(random)}}`
  return clauseOf(pick(FUZZ_SCHEMA.fields, random), random)
}

/** The conditions on one element. */
function inBraces(random: Random): string {
  const one = (): string => clauseOf(pick(MEMBERS, random), random)
  const tests = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    random() < 0.2 ? `!${one()}` : one(),
  )
  return tests.join(pick([' && ', '&&', ' || '], random))
}

function clauseOf(
  { name, type }: { readonly name: string; readonly type: FieldType },
  random: Random,
): string {
  const written = random() < 0.8 && /^\w+$/.test(name) ? name : `\`${name}\``
  const chance = random()
  if (chance < 0.12) return `${written}:${pick(['exists', 'null'], random)}`
  const equals = pick(['', '=', '!='], random)
  if (chance < 0.35) {
    const items = Array.from({ length: 1 + Math.floor(random() * 4) }, () => item(type, random))
    return `${written}:${equals}[${items.join(pick([',', ', '], random))}]`
  }
  if (chance < 0.55 && /^(?:int|float)/.test(type)) {
    return `${written}:${pick(['<', '<=', '>', '>='], random)}${writtenValue(type, random)}`
  }
  return `${written}:${equals}${writtenValue(type, random)}${chance > 0.9 ? '*' : ''}`
}

const DEEPEST = 4

function expression(random: Random, depth: number): string {
  const chance = random()
  if (depth === DEEPEST || chance < 0.4) return clause(random)
  const inner = (): string => expression(random, depth + 1)
  if (chance < 0.5) return `!(${inner()})`
  if (chance < 0.55) return `not (${inner()})`
  if (chance < 0.75) return `${inner()}${pick([' && ', '&&', ' AND ', ' and '], random)}${inner()}`
  return `(${inner()}${pick([' || ', '||', ' or ', ' OR '], random)}${inner()})`
}

const PIECES =
  ': := :!= :> :<= [ ] { } :{ .. , ( ) ! not && || and or " ` * exists null 1 -2.5 1e400 \\ \ud800 \0 é -- .'.split(
    ' ',
  )

/** Removes, inserts, doubles or swaps a few characters: most results are not filters any more. */
function mutated(text: string, random: Random): string {
  let result = text
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const at = Math.floor(random() * (result.length + 1))
    const to = Math.min(result.length, at + 1 + Math.floor(random() * 6))
    const chance = random()
    if (chance < 0.3) result = result.slice(0, at) + result.slice(to)
    else if (chance < 0.7) result = result.slice(0, at) + pick(PIECES, random) + result.slice(at)
    else result = result.slice(0, to) + result.slice(at)
  }
  return result
}

/** An expression of up to four levels; a third of them are mutated. */
export function randomFilter(random: Random): string {
  const text = expression(random, 0)
  return random() < 1 / 3 ? mutated(text, random) : text
}
