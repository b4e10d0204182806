import type { QuerySlot } from '@aisle/engine'

/** Words, and stopwords among them, from which a query is a question … */
const SHORT = { words: 4, stopwords: 2 }
/** … and fewer stopwords in a longer one. */
const LONG = { words: 6, stopwords: 1 }

/**
 * Whether a query is a question or a sentence ("something to cook with in the mountains") and not a
 * list of keywords: it has many words that say nothing about a product. A digit or quotes mean that
 * someone knows exactly what is sought.
 *
 * Of 5,897 queries of a hardware store 1.7 % are; they gain from rank fusion what keywords lose.
 *
 * @param q as typed
 * @param words of the query, its stopwords among them
 */
export function isQuestion(q: string, words: readonly QuerySlot[]): boolean {
  if (/[\p{Nd}"]/u.test(q)) return false
  const stopwords = words.filter(({ stopword }) => stopword).length
  return [SHORT, LONG].some((least) => words.length >= least.words && stopwords >= least.stopwords)
}
