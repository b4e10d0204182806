import * as contract from '@aisle/contract'
import { repositoryFiles, readSource } from './source-files.ts'

/**
 * The types of the contract in plain TypeScript. Inside the repository the types of TypeBox compute
 * them from schemas; users of a client get the result, with the descriptions, and do not need
 * TypeBox.
 */
export function contractTypes(): string {
  const sources = repositoryFiles()
    .filter((path) => /^packages\/contract\/src\/(?!check)[\w-]+\.ts$/.test(path))
    .filter((path) => !path.endsWith('.test.ts') && !path.endsWith('/type.ts'))
    .map((path) => readSource(path).text)
  const found = sources.flatMap((text) => [...text.matchAll(DECLARATION)])
  const named = namesOf(new Set(found.map(([, , , name]) => name!)))
  const declarations = found.map(([whole, comment = '', kind, name]) =>
    kind === 'interface' ? whole.trim() : `${comment}${declared(whole, comment, name!, named)}`,
  )
  return `${declarations.join('\n\n')}\n`
}

/** A type in a source: its comment, and its text up to the next blank line or statement. */
const DECLARATION =
  /(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?^export (type|interface) (\w+)\b(?: \{[^]*?^\}|[^{]*?(?=\n(?:export|const|function|\/\*\*|\n)|\n*(?![^])))/gm

/** The values of the contract, by name. */
const VALUES = contract as unknown as Readonly<Record<string, unknown>>

interface Schema {
  readonly $id?: string
  readonly description?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

/** Names by the id of a schema. */
type Names = ReadonlyMap<string, string>

/** The schemas that are also types. */
function namesOf(types: ReadonlySet<string>): Names {
  const ids = Object.entries(VALUES).flatMap(([name, value]) => {
    const id = (value as Schema | undefined)?.$id
    return id === undefined || !types.has(name) ? [] : [[id, name] as const]
  })
  return new Map(ids)
}

function declared(whole: string, comment: string, name: string, named: Names): string {
  const schema = VALUES[name]
  if (isSchema(schema)) return `export type ${name} = ${typeOf({ ...schema, $id: '' }, '', named)}`
  return whole
    .slice(comment.length)
    .replaceAll(/\(typeof (\w+)\)\[number\]/g, (_, list: string) =>
      unionOf(VALUES[list] as readonly unknown[]),
    )
    .replaceAll(/keyof typeof (\w+)/g, (_, table: string) =>
      unionOf(Object.keys(VALUES[table] as object)),
    )
    .replaceAll(
      /Static<\(typeof (\w+)\)\[(\w+)\]\['(\w+)'\]>/g,
      (_, table: string, key: string, member: string) =>
        `${membersOf(VALUES[table] as Record<string, Record<string, Schema>>, member, named)}[${key}]`,
    )
    .trim()
}

function membersOf(
  table: Record<string, Record<string, Schema>>,
  member: string,
  named: Names,
): string {
  const members = Object.entries(table).map(
    ([key, row]) => `  ${JSON.stringify(key)}: ${typeOf(row[member]!, '  ', named)}\n`,
  )
  return `{\n${members.join('')}}`
}

function typeOf(schema: Schema, indent: string, named: Names): string {
  const name = named.get(schema.$id ?? '')
  if (name !== undefined) return name
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return unionOf(schema.enum)
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((one) => typeOf(one, indent, named)).join(' | ')
  }
  switch (schema.type) {
    case 'integer':
      return 'number'
    case 'array': {
      const items = typeOf(schema.items!, indent, named)
      return items.includes(' | ') ? `(${items})[]` : `${items}[]`
    }
    case 'object':
      return objectOf(schema, indent, named)
    default:
      return schema.type ?? 'unknown'
  }
}

function objectOf(schema: Schema, indent: string, named: Names): string {
  const inner = `${indent}  `
  const { properties, required = [], patternProperties } = schema
  if (patternProperties !== undefined) {
    return `Record<string, ${typeOf(Object.values(patternProperties)[0]!, indent, named)}>`
  }
  const members = Object.entries(properties ?? {}).map(([name, one]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    const about = one.description === undefined ? '' : `${inner}/** ${commentOf(one)} */\n`
    const mark = required.includes(name) ? '' : '?'
    return `${about}${inner}${key}${mark}: ${typeOf(one, inner, named)}\n`
  })
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`
}

function commentOf({ description = '' }: Schema): string {
  return description.replaceAll('*/', '* /').replaceAll('\n', ' ')
}

function unionOf(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ')
}

function isSchema(value: unknown): value is Schema {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return 'type' in value || 'anyOf' in value || 'enum' in value
}
