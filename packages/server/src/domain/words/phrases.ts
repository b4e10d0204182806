import type { Analyzer } from '@aisle/engine'
import { wordRun } from './word-runs.ts'

/** A word, or two side by side. */
export interface Phrase {
  /** As analysed: lower case. */
  readonly text: string
  /** The same for all inflections of its words. */
  readonly key: string
  /** Keys of its words. */
  readonly stems: readonly string[]
}

/** Shorter words are sizes and abbreviations. */
const WORD_MIN_CHARS = 3

/**
 * The words of a text that may name a kind of product, and all such neighbours: no stopwords,
 * numbers, units or part numbers.
 */
export function phrasesOf(text: string, analyzer: Analyzer): Phrase[] {
  const phrases: Phrase[] = []
  let before: { readonly form: string; readonly stem: string } | undefined
  for (const { form, kind } of wordRun(analyzer.analyze(text)).words) {
    const isWord = kind === 'word' && form.length >= WORD_MIN_CHARS && !/\p{N}/u.test(form)
    if (!isWord || analyzer.isStopword(form)) {
      before = undefined
      continue
    }
    const stem = analyzer.stem(form)
    phrases.push({ text: form, key: stem, stems: [stem] })
    if (before !== undefined && before.stem !== stem) {
      phrases.push({
        text: `${before.form} ${form}`,
        key: `${before.stem} ${stem}`,
        stems: [before.stem, stem],
      })
    }
    before = { form, stem }
  }
  return phrases
}

/**
 * The phrases that most of some texts have, each in its most frequent form.
 *
 * @param most phrases
 */
export function commonPhrases(
  texts: readonly string[],
  analyzer: Analyzer,
  most: number,
): readonly Phrase[] {
  const counts = new Map<string, { texts: number; readonly forms: Map<string, Phrase> }>()
  const timesOf = new Map<Phrase, number>()
  for (const text of texts) {
    const inText = new Map(phrasesOf(text, analyzer).map((phrase) => [phrase.key, phrase]))
    for (const [key, phrase] of inText) {
      const known = counts.get(key) ?? { texts: 0, forms: new Map<string, Phrase>() }
      known.texts++
      const form = known.forms.get(phrase.text) ?? phrase
      known.forms.set(phrase.text, form)
      timesOf.set(form, (timesOf.get(form) ?? 0) + 1)
      counts.set(key, known)
    }
  }
  return [...counts.values()]
    .toSorted((a, b) => b.texts - a.texts)
    .slice(0, most)
    .map(({ forms }) =>
      [...forms.values()].reduce((a, b) => (timesOf.get(b)! > timesOf.get(a)! ? b : a)),
    )
}

export interface NearPhrase {
  readonly text: string
  readonly similarity: number
}

/**
 * Those of some phrases that are similar enough, the most similar first. Two words count only if
 * they are nearer than each of them alone: "mini refrigerator" says no more than "refrigerator".
 *
 * @param similarityOf undefined: the model has no vector of it
 */
export function nearestPhrases(
  phrases: readonly Phrase[],
  similarityOf: (text: string) => number | undefined,
  least: number,
): NearPhrase[] {
  const byKey = new Map(phrases.map(({ key, text }) => [key, similarityOf(text)]))
  return phrases
    .flatMap(({ text, key, stems }) => {
      const similarity = byKey.get(key)
      if (similarity === undefined || similarity < least) return []
      const isNearer = stems.every((stem) => stem === key || (byKey.get(stem) ?? -1) < similarity)
      return isNearer ? [{ text, similarity }] : []
    })
    .toSorted((a, b) => b.similarity - a.similarity)
}
