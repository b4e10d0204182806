export interface TypoOptions {
  /** Maximum edits per word, 0..2. */
  readonly typoMax: number
  /** Minimum length in code points for one edit, and for two. */
  readonly typoMinLen1: number
  readonly typoMinLen2: number
  /** Whether words with digits may have edits. */
  readonly typoNumbers: boolean
}

/** The number of typos that a word may have. */
export function allowedEdits(form: string, options: TypoOptions): 0 | 1 | 2 {
  // Nearly every word.
  const isPlain = /^[a-z]+$/.test(form)
  if (!isPlain && !options.typoNumbers && /\p{N}/u.test(form)) return 0
  // Emoji are chosen, not spelled.
  if (!isPlain && !/[\p{L}\p{N}]/u.test(form)) return 0
  const length = isPlain ? form.length : [...form].length
  // Thai writes short vowels seldom: three letters are as good as four elsewhere (ควม for ความ).
  const letters = !isPlain && /^\p{sc=Thai}/u.test(form) ? length + 1 : length
  const byLength = length >= options.typoMinLen2 ? 2 : letters >= options.typoMinLen1 ? 1 : 0
  const edits = Math.min(byLength, options.typoMax)
  return edits >= 2 ? 2 : edits === 1 ? 1 : 0
}
