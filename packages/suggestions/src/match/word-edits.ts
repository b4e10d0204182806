import { TYPO_MIN_LEN_1_DEFAULT_CHARS, TYPO_MIN_LEN_2_DEFAULT_CHARS } from '@aisle/contract'

const TYPED_MAX_CHARS = 40
const LETTERS = /^[\p{L}\p{M}]+$/u

/** Returns the typos tolerated in a word: as in a search, none in words with digits. */
export function editsOf(word: string): 0 | 1 | 2 {
  if (word.length < TYPO_MIN_LEN_1_DEFAULT_CHARS || word.length > TYPED_MAX_CHARS) return 0
  if (!LETTERS.test(word)) return 0
  return word.length < TYPO_MIN_LEN_2_DEFAULT_CHARS ? 1 : 2
}
