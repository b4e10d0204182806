import { SYMBOLS_TO_INDEX_MAX, TOKEN_SEPARATORS_MAX } from './limits.ts'
import { Type } from './type.ts'

/** One character; the server checks which ones are allowed. */
const character = Type.String({ minLength: 1, maxLength: 2 })

export const SymbolsToIndex = Type.Array(character, {
  maxItems: SYMBOLS_TO_INDEX_MAX,
  description:
    'Characters that are part of words: with `+`, a search for `c++` ranks `C++` above `C`. No letters, digits, emoji or spaces.',
})

export const TokenSeparators = Type.Array(character, {
  maxItems: TOKEN_SEPARATORS_MAX,
  description:
    'Characters treated as a space: with `/`, AC/DC is two words and not also ACDC. No letters, digits, emoji or spaces.',
})

/** Both as members that a store or a field may leave out. */
export const optionalSymbols = {
  symbols_to_index: Type.Optional(SymbolsToIndex),
  token_separators: Type.Optional(TokenSeparators),
}
