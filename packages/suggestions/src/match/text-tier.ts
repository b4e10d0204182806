import { begunLength, type Analyzer } from '@aisle/engine'
import { editDistance, editDistanceToBeginning } from '@aisle/contract'
import { TIER } from './match-suggestions.ts'
import type { TypedText } from './typed-text.ts'
import { INFIX_MIN_CHARS } from './word-choices.ts'
import { editsOf } from './word-edits.ts'

/** A parsed suggestion. */
export interface SuggestedText {
  readonly folded: string
  /** Folded words, including further spellings (t-shirt: tshirt), with their stems. */
  readonly words: readonly { readonly form: string; readonly stem: string }[]
}

export function readSuggested(text: string, analyzer: Analyzer): SuggestedText {
  const tokens = analyzer.analyze(text)
  return {
    folded: tokens.flatMap(({ kind, form }) => (kind === 'joined' ? [] : [form])).join(' '),
    words: tokens.map(({ form }) => ({ form, stem: analyzer.stem(form) })),
  }
}

/**
 * The tier of one suggestion for a typed text, in the plainest way: the definition of the tiers,
 * for a few texts.
 *
 * @returns undefined if it does not match
 */
export function tierOf(
  typed: TypedText,
  { folded, words }: SuggestedText,
): { readonly tier: number; readonly mistakes: number } | undefined {
  const begins =
    folded === typed.folded ||
    (typed.isOpen
      ? begunLength(folded, typed.folded) >= 0
      : folded.startsWith(typed.folded === '' ? '' : `${typed.folded} `))
  if (begins) return { tier: TIER.beginning, mistakes: 0 }
  const fits = (allowed: (form: string, word: string, isOpen: boolean) => number | undefined) => {
    let mistakes = 0
    for (const [i, form] of typed.words.entries()) {
      const isOpen = typed.isOpen && i === typed.words.length - 1
      let fewest = Infinity
      for (const { form: word, stem } of words) {
        const isExact = stem === typed.stems[i] || (isOpen && begunLength(word, form) >= 0)
        fewest = Math.min(fewest, isExact ? 0 : (allowed(form, word, isOpen) ?? Infinity))
      }
      mistakes += fewest
    }
    return mistakes
  }
  if (fits(() => undefined) === 0) return { tier: TIER.words, mistakes: 0 }
  const mistakes = fits((form, word, isOpen) => {
    const distance = isOpen ? editDistanceToBeginning(form, word) : editDistance(form, word)
    return distance <= editsOf(form) ? distance : undefined
  })
  if (mistakes < Infinity) return { tier: TIER.mistyped, mistakes }
  const holds = fits((form, word) =>
    form.length >= INFIX_MIN_CHARS && word.includes(form) ? 0 : undefined,
  )
  return holds === 0 ? { tier: TIER.infix, mistakes: 0 } : undefined
}
