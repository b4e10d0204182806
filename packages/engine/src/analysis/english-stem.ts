import { englishExceptions } from './english-words.ts'
import { porter2, SPECIAL_WORDS } from './porter2.ts'

/**
 * The stem of an English word: a table of irregular words, then Porter2.
 *
 * @param form a folded form; with anything but a-z it is returned unchanged
 */
export function englishStem(form: string): string {
  if (form.length > WORD_LENGTH_MAX) return form
  return exceptions.get(form) ?? (/^[a-z]+$/.test(form) ? porter2(form) : form)
}

/** Longer words are not English. */
const WORD_LENGTH_MAX = 48

const exceptions = englishExceptions(porter2)

/** See `Language`: only irregular words change their second letter (mice, dying). */
export function englishSecondLetters(stem: string): string | undefined {
  return stem.length < 2 ? undefined : stem[1]! + (otherSecondLetters.get(stem) ?? '')
}

/** Porter2 changes at most the last letter of a stem, and only after two others. */
const THIRD_LETTER_STEM_MIN = 4

/** The same for third letters, which regular words change only in short stems (dry, dries). */
export function englishThirdLetters(stem: string): string | undefined {
  if (stem.length < THIRD_LETTER_STEM_MIN) return undefined
  return stem[2]! + (otherThirdLetters.get(stem) ?? '')
}

const otherSecondLetters = new Map<string, string>()
const otherThirdLetters = new Map<string, string>()
for (const [form, stem] of [...exceptions, ...SPECIAL_WORDS]) {
  for (const [place, letters] of [
    [1, otherSecondLetters],
    [2, otherThirdLetters],
  ] as const) {
    const letter = form[place]
    if (letter === undefined || letter === stem[place]) continue
    letters.set(stem, (letters.get(stem) ?? '') + letter)
  }
}
