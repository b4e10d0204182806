import type { ErrorDetail } from '@aisle/contract'
import { parseExactly } from '@aisle/client'
import type { JsonFault } from '../../ui/code-editor.tsx'

/**
 * Fields as a person edits them.
 * @param data of `taggedDocument`, so that no number loses a digit
 */
export function documentText(data: unknown): string {
  return JSON.stringify(data, null, 2)
}

/** @returns undefined when it is not a JSON object */
export function parseDocument(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseExactly(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && text.trimStart().startsWith('{')
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * The errors that the service reported, each at its field in the text. It names fields as
 * `data.price`; errors about text that has been removed are dropped.
 */
export function faultsIn(text: string, details: readonly ErrorDetail[]): JsonFault[] {
  const places = fieldPlaces(text)
  return details.flatMap(({ param, message }) => {
    if (param?.startsWith('data.') !== true) return []
    const place = places.get(param.slice('data.'.length)) ?? longestPlace(places, param)
    return place === undefined ? [] : [{ ...place, message }]
  })
}

interface Place {
  readonly from: number
  readonly to: number
}

/** An element of a list is named too: `data.colors[2]`. */
function longestPlace(places: ReadonlyMap<string, Place>, param: string): Place | undefined {
  const [name = ''] = param.slice('data.'.length).split('[')
  return places.get(name)
}

/** The places of the members of the outermost object, name and value, by name. */
export function fieldPlaces(text: string): Map<string, Place> {
  const places = new Map<string, Place>()
  let depth = 0
  let name: string | undefined
  let from = 0
  let end = 0
  const close = (): void => {
    if (name !== undefined) places.set(name, { from, to: end })
    name = undefined
  }
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (character === '"') {
      const after = stringEnd(text, i)
      if (depth === 1 && name === undefined) {
        name = parseText(text.slice(i, after))
        from = i
      }
      i = after - 1
      end = after
      continue
    }
    if (depth === 1 && (character === ',' || character === '}')) close()
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    if (!/\s/.test(character)) end = i + 1
  }
  close()
  return places
}

/** Behind the closing quote. */
function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i + 1
  }
  return text.length
}

function parseText(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return undefined
  }
}

/** The text with one more field, which has an empty value of its type. */
export function withField(text: string, name: string, type: string): string {
  const document = parseDocument(text)
  if (document === undefined) return text
  return documentText({ ...document, [name]: emptyValue(type) })
}

function emptyValue(type: string): unknown {
  if (type.endsWith('[]')) return []
  if (type === 'string') return ''
  return type === 'bool' ? false : 0
}
