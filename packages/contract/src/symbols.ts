import { SYMBOLS_TO_INDEX_MAX, TOKEN_SEPARATORS_MAX } from './limits.ts'
import { Type } from './type.ts'

/** One character; which ones may stand there, the server knows. */
const character = Type.String({ minLength: 1, maxLength: 2 })

export const SymbolsToIndex = Type.Array(character, {
  maxItems: SYMBOLS_TO_INDEX_MAX,
  description:
    'Characters that are part of words: with `+` a search for `c++` finds it before `C`. Neither letters, digits, emoji nor spaces.',
})

export const TokenSeparators = Type.Array(character, {
  maxItems: TOKEN_SEPARATORS_MAX,
  description:
    'Characters that are like a space: with `/` AC/DC is two words, and not ACDC as well. Neither letters, digits, emoji nor spaces.',
})
