/** Korean syllables in Unicode: 19 initial consonants, with 21 vowels and 27 finals or none. */
const FIRST = 0xac00
const LAST = 0xd7a3
const VOWELS = 21
const FINALS = 28
/** Initial consonants alone, to which folding also turns those of a keyboard. */
const INITIAL_FIRST = 0x1100
const INITIAL_LAST = 0x1112

/** Whether the character is a Korean syllable, or a part of one. */
export function isHangul(code: number): boolean {
  return (code >= FIRST && code <= LAST) || (code >= 0x1100 && code <= 0x11ff)
}

/** The vowels that a vowel may become: ㅗ ㅘ ㅙ ㅚ, ㅜ ㅝ ㅞ ㅟ, ㅡ ㅢ are neighbours. */
const VOWELS_GROWING: ReadonlyMap<number, number> = new Map([
  [8, 3],
  [13, 3],
  [18, 1],
])
/** Likewise for finals: ㄱ ㄲ ㄳ, ㄴ ㄵ ㄶ, ㄹ ㄺ to ㅀ, ㅂ ㅄ, ㅅ ㅆ. */
const FINALS_GROWING: ReadonlyMap<number, number> = new Map([
  [1, 2],
  [4, 2],
  [8, 7],
  [17, 1],
  [19, 1],
])
/** By final: what is left if its last consonant moves to the next syllable; that consonant. */
const FINALS_MOVING: readonly (readonly [left: number, initial: number])[] = (
  '0 0,0 0,0 1,1 9,0 2,4 12,4 18,0 3,0 5,8 0,8 6,8 7,8 9,8 16,8 17,8 18,0 6,0 7,17 9,0 9,0 10,0 11,' +
  '0 12,0 14,0 15,0 16,0 17,0 18'
)
  .split(',')
  .map((pair) => {
    const [left, initial] = pair.split(' ').map(Number)
    return [left!, initial!]
  })

/** All texts from `first` to `last`, which are equal except for their last UTF-16 unit. */
export interface TextRange {
  readonly first: string
  readonly last: string
}

/**
 * The length of the part of a text that the typed one matches so far, in UTF-16 units: the text
 * begins with the typed one, or with what its last Korean syllable can still become. -1: with none.
 */
export function begunLength(text: string, typed: string): number {
  if (text.startsWith(typed)) return typed.length
  if (!isHangul(typed.charCodeAt(typed.length - 1))) return -1
  for (const { first, last } of typedRanges(typed)) {
    const start = text.slice(0, first.length)
    if (start.length === first.length && start >= first && start <= last) return start.length
  }
  return -1
}

/**
 * What a word that ends with a Korean letter may begin with with further letters: ㄱ becomes any
 * syllable from 가 to 깋, 가 becomes 갑, 고 also 과, and 갑 becomes 값, or 가 and a syllable from 바 to
 * 빟. Ranges do not overlap. Other words begin only with themselves.
 */
export function typedRanges(word: string): readonly TextRange[] {
  const code = word.charCodeAt(word.length - 1)
  const before = word.slice(0, -1)
  const range = (text: string, first: number, last: number): TextRange => ({
    first: text + String.fromCharCode(first),
    last: text + String.fromCharCode(last),
  })
  const syllables = (text: string, initial: number): TextRange => {
    const first = FIRST + initial * VOWELS * FINALS
    return range(text, first, first + VOWELS * FINALS - 1)
  }
  const itself = { first: word, last: word }
  if (code >= INITIAL_FIRST && code <= INITIAL_LAST) {
    return [itself, syllables(before, code - INITIAL_FIRST)]
  }
  if (!(code >= FIRST && code <= LAST)) return [itself]
  const final = (code - FIRST) % FINALS
  if (final === 0) {
    const vowel = ((code - FIRST) / FINALS) % VOWELS
    const growing = VOWELS_GROWING.get(vowel) ?? 0
    return [range(before, code, code + (growing + 1) * FINALS - 1)]
  }
  const [left, initial] = FINALS_MOVING[final]!
  return [
    range(before, code, code + (FINALS_GROWING.get(final) ?? 0)),
    syllables(before + String.fromCharCode(code - final + left), initial),
  ]
}
