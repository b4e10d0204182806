import { parse } from 'yaml'
import { CommandError } from '../exit-codes.ts'
import { isObject } from '@aisle/contract/is-object'
import { readPair } from './command.ts'

/** Parsed as YAML, which includes JSON and reads a plain word as text. */
export function readValue(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return text
  }
}

/**
 * Parses command line words as `name=value`, or `name value` in two words.
 *
 * @throws CommandError when a value is missing
 */
export function readNamedValues(words: readonly string[]): [string, unknown][] {
  const named: [string, unknown][] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (word.includes('=')) {
      const [name, value] = readPair(word)
      named.push([name, readValue(value)])
    } else {
      const value = words[++at]
      if (value === undefined) {
        throw new CommandError('usage', `"${word}" has no value: use ${word}=value`)
      }
      named.push([word, readValue(value)])
    }
  }
  return named
}

/** Settings that are objects keyed by field name; field names may contain dots. */
const BY_FIELD: ReadonlySet<string> = new Set(['ranking.field_weights'])

/**
 * A merge patch of names as the documentation writes them: `ranking.sort_by` is a member of
 * `ranking`.
 */
export function patchOf(named: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const [name, value] of named) {
    const keys = keysOf(name)
    let holder = patch
    for (const key of keys.slice(0, -1)) {
      const held = Object.hasOwn(holder, key) ? holder[key] : undefined
      const inner = isObject(held) ? { ...held } : {}
      define(holder, key, inner)
      holder = inner
    }
    define(holder, keys.at(-1)!, value)
  }
  return patch
}

function keysOf(name: string): string[] {
  for (const prefix of BY_FIELD) {
    if (name.startsWith(`${prefix}.`)) return [...prefix.split('.'), name.slice(prefix.length + 1)]
  }
  return name.split('.')
}

/** `__proto__` is a key like any other. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}
