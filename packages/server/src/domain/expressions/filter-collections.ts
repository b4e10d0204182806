import { ApiError } from '@aisle/contract'
import type { FilterNode } from '@aisle/engine'
import type { Collections } from './collections.ts'
import { readListText, readValue, type FilterText } from './filter-lexer.ts'
import { anyOf, asOneCondition } from './filter-nodes.ts'
import type { TextCursor } from './text-cursor.ts'

/** Characters of an unknown name in a message. */
const NAME_SHOWN_MAX_CHARS = 100

/**
 * Reads what follows `_collection:`, one name or a list.
 *
 * @param parse parses the filter of a collection as a part of the one that names it
 */
export function readCollections(
  cursor: TextCursor,
  collections: Collections,
  parse: (filter: string) => FilterNode,
  countValue: (at: number) => void,
): FilterNode {
  const names = readNames(cursor, 'the name of a collection', countValue) ?? [readValue(cursor)]
  const nodes = names.map(({ text: name, at }) => {
    const filter = collections.filterOf(name)
    if (filter === undefined) {
      const problem = `there is no collection \`${shorten(name)}\``
      throw cursor.error(problem, at, 'unknown_collection')
    }
    try {
      return parse(filter)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A later schema may not have the fields of the collection.
      const problem = `the collection \`${name}\` cannot be used (${error.message})`
      throw cursor.error(problem, at, error.code)
    }
  })
  return asOneCondition(anyOf(nodes))
}

/** `[a, b]`; undefined when no list starts here. */
export function readNames(
  cursor: TextCursor,
  what: string,
  countValue: (at: number) => void,
): FilterText[] | undefined {
  if (!cursor.eat('[')) return undefined
  const names: FilterText[] = []
  do {
    const name = readListText(cursor, false)
    if (name.text === '') throw cursor.expected(what, name.at)
    countValue(name.at)
    names.push(name)
  } while (cursor.eat(','))
  if (!cursor.eat(']')) throw cursor.expected('`,` or `]`')
  return names
}

function shorten(name: string): string {
  const shown = name.slice(0, NAME_SHOWN_MAX_CHARS).toWellFormed()
  return shown.length < name.length ? `${shown}…` : shown
}
