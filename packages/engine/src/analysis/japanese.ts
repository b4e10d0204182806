import { wordEnds } from './segmenter.ts'

/** Folded forms of hiragana and katakana only. */
const KANA = /^[ぁ-ゖァ-ヺー]+$/
const KATAKANA = /^[ァ-ヺー]+$/
/** The two scripts stand in the same order. */
const HIRAGANA_FIRST = 0x3041
const HIRAGANA_LAST = 0x3096
const TO_KATAKANA = 0x60

const LONG_VOWEL = 'ー'
/** Of fewer letters nothing is cut off: カー is not カ. */
const WITHOUT_LONG_VOWEL_MIN = 3

const SMALL = 'ァィゥェォッャュョヮヵヶ'
const LARGE = 'アイウエオツヤユヨワカケ'
/** Katakana by the vowel in which they end. */
const BY_VOWEL: Readonly<Record<string, string>> = {
  ア: 'アカサタナハマヤラワガザダバパ',
  イ: 'イキシチニヒミリギジヂビピヰ',
  ウ: 'ウクスツヌフムユルグズヅブプヴ',
  エ: 'エケセテネヘメレゲゼデベペヱ',
  オ: 'オコソトノホモヨロヲゴゾドボポ',
}
const VOWELS = new Map(
  Object.entries(BY_VOWEL).flatMap(([vowel, letters]) =>
    Array.from(letters, (letter): [string, string] => [letter, vowel]),
  ),
)

/**
 * The stem that the spellings of a word in kana share: らーめん, ラーメン and らあめん, キヤノン and キャノン,
 * コンピューター and コンピュータ. It is katakana with large letters, and vowels for their marks. Words with
 * kanji are as they are written.
 */
export function japaneseStem(form: string): string {
  if (!KANA.test(form)) return form
  let letters = inKatakana(form)
  if (letters.length > WITHOUT_LONG_VOWEL_MIN && letters.endsWith(LONG_VOWEL)) {
    letters = letters.slice(0, -1)
  }
  // A small letter in front belongs to a word that was cut; a stem begins as its forms do.
  let stem = letters[0]!
  for (let i = 1; i < letters.length; i++) {
    const letter = letters[i]!
    const small = SMALL.indexOf(letter)
    if (small >= 0) stem += LARGE[small]!
    else if (letter === LONG_VOWEL) stem += VOWELS.get(stem.at(-1)!) ?? letter
    else stem += letter
  }
  return stem
}

/** See `Language`. */
export function japaneseFirstLetters(stem: string): string {
  const first = stem.codePointAt(0)!
  const hiragana = first - TO_KATAKANA
  const isKatakana = hiragana >= HIRAGANA_FIRST && hiragana <= HIRAGANA_LAST
  return isKatakana ? String.fromCodePoint(first, hiragana) : String.fromCodePoint(first)
}

function inKatakana(text: string): string {
  return shifted(text, HIRAGANA_FIRST, TO_KATAKANA)
}

/** @param first, shift of the letters that are not to stay as they are */
function shifted(text: string, first: number, shift: number): string {
  const last = first + HIRAGANA_LAST - HIRAGANA_FIRST
  let other = ''
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    other += code >= first && code <= last ? String.fromCharCode(code + shift) : text[i]
  }
  return other
}

/** Words of kana that stand together are also one if they are no longer than this, together. */
const KANA_TOGETHER_MIN = 3
const KANA_TOGETHER_MAX = 8

/**
 * Dictionaries know the words of hiragana that are no loans, and cut others to pieces: ラーメン, but
 * ら, ー, めん. Such pieces are also found as one word.
 *
 * @param words neighbours, in order
 * @returns how many of them, from `first` on, are pieces of one; 0: none
 */
export function kanaTogether(words: readonly string[], first: number): number {
  if (!KANA.test(words[first]!) || (first > 0 && KANA.test(words[first - 1]!))) return 0
  let end = first
  let together = ''
  let isInPieces = false
  while (end < words.length && KANA.test(words[end]!)) {
    isInPieces ||= words[end]!.length === 1
    together += words[end++]!
    if (together.length > KANA_TOGETHER_MAX) return 0
  }
  if (end - first < 2 || together.length < KANA_TOGETHER_MIN) return 0
  return isInPieces || KATAKANA.test(together) ? end - first : 0
}

/**
 * The pieces to which a dictionary cuts the word when it is written in the other script: ら, ー and
 * めん of ラーメン; none if it keeps it whole.
 */
export function kanaPieces(form: string): string[] {
  if (form.length < KANA_TOGETHER_MIN || form.length > KANA_TOGETHER_MAX) return []
  if (!KANA.test(form)) return []
  const katakana = inKatakana(form)
  const other =
    form === katakana ? shifted(form, HIRAGANA_FIRST + TO_KATAKANA, -TO_KATAKANA) : katakana
  const ends = other === form ? [] : wordEnds(other)
  if (ends.length < 2) return []
  return ends.map((end, i) => other.slice(i === 0 ? 0 : ends[i - 1], end))
}
