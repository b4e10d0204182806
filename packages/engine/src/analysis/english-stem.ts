import { englishExceptions } from './english-words.ts'
import { porter2 } from './porter2.ts'

/**
 * The stem of an English word: Porter2 behind a table of irregular words.
 *
 * @param form a folded form; one with anything but a-z is its own stem
 */
export function englishStem(form: string): string {
  if (form.length > WORD_LENGTH_MAX) return form
  return exceptions.get(form) ?? (/^[a-z]+$/.test(form) ? porter2(form) : form)
}

/** Longer words are not English. */
const WORD_LENGTH_MAX = 48

const exceptions = englishExceptions(porter2)
