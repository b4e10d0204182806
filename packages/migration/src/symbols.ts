import type { SchemaFieldRequest } from '@aisle/client'
import { SYMBOLS_TO_INDEX_MAX } from '@aisle/contract/limits'

type SymbolLists = Pick<SchemaFieldRequest, 'symbols_to_index' | 'token_separators'>

/**
 * Symbols and separators of another engine, if they are single characters.
 *
 * @param note called for each text that is left out, with the reason
 */
export function symbolLists(
  symbols: readonly string[],
  separators: readonly string[],
  note: (text: string, why: string) => void,
): SymbolLists {
  const signsOf = (texts: readonly string[], others: readonly string[]): string[] => {
    const signs: string[] = []
    for (const text of new Set(texts)) {
      if (!isSign(text)) note(text, 'is not one sign')
      else if (others.includes(text)) note(text, 'is part of words already')
      else if (signs.length === SYMBOLS_TO_INDEX_MAX) note(text, 'is one too many')
      else signs.push(text)
    }
    return signs
  }
  const indexed = signsOf(symbols, [])
  const separating = signsOf(separators, indexed)
  return {
    ...(indexed.length === 0 ? {} : { symbols_to_index: indexed }),
    ...(separating.length === 0 ? {} : { token_separators: separating }),
  }
}

/**
 * Whether a sign is one in all its Unicode forms. The service folds some to letters, and treats
 * emoji as words; these are left out, with a few others that nobody lists.
 */
function isSign(text: string): boolean {
  const plain = [...text.normalize('NFKD')]
  return (
    plain.length === 1 &&
    /[\p{P}\p{S}]/u.test(plain[0]!) &&
    !/[\p{Extended_Pictographic}×]/u.test(text)
  )
}
