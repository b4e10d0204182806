import { asSymbol } from '@aisle/engine'

/** The name of a list of characters of a store or field. */
export type SymbolList = 'symbols_to_index' | 'token_separators'

/** The fault of a list, and its place. */
export interface SymbolProblem {
  /** Index in the list. */
  readonly at: number
  readonly message: string
}

/** @returns the characters, folded, each once, in the order of the list; or the first problem */
export function readSymbols(list: readonly unknown[]): string | SymbolProblem {
  const symbols: string[] = []
  for (const [at, character] of list.entries()) {
    const symbol = typeof character === 'string' ? asSymbol(character) : undefined
    if (symbol === undefined) {
      const message =
        'must be one character such as "+" that is neither a letter, a digit, an emoji nor a space'
      return { at, message }
    }
    symbols.push(symbol)
  }
  return [...new Set(symbols)].join('')
}

/** A character cannot be part of words and separate them. @returns the index of one in both */
export function inBoth(symbols: string, separators: readonly string[]): number {
  return separators.findIndex((character) => symbols.includes(asSymbol(character) ?? ' '))
}
