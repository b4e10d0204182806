import type { QuerySlot, SlotExpansion } from '@aisle/engine'
import type { AnalysedQuery } from './analysed-query.ts'
import { isLiteral } from './query-syntax.ts'

/**
 * Returns the query as it was understood: each word that no document contains in any spelling is
 * replaced by its expansion: two adjacent words, its best correction, or a word formed with a
 * neighbour.
 *
 * @param expansions the expansions of each of `words`, in their order
 * @returns undefined if nothing was corrected
 */
export function correctQuery(
  query: AnalysedQuery,
  words: readonly QuerySlot[],
  expansions: readonly SlotExpansion[],
): string | undefined {
  const replacements = new Map<string, string>()
  for (let i = 0; i < expansions.length; i++) {
    const together = respeltWithNext(expansions, i)
    if (together !== undefined) {
      replacements.set(words[i]!.stem, together)
      replacements.set(words[++i]!.stem, '')
      continue
    }
    const expansion = expansions[i]!
    const best = expansion.known ? undefined : readingsOf(expansion)[0]
    if (best !== undefined) replacements.set(words[i]!.stem, best)
  }
  const corrected = replaceWords(query, replacements)
  return corrected === query.text ? undefined : corrected
}

/**
 * The word that a word and the next one form with the space in the wrong place: "sunflower" for
 * "sun flawer". One word if the unknown one of the two has no other correction.
 */
function respeltWithNext(expansions: readonly SlotExpansion[], i: number): string | undefined {
  const pair = expansions.slice(i, i + 2)
  const text = pair[0]!.respelt.find((one) => pair[1]?.respelt.includes(one))
  const unknown = pair.filter(({ known }) => !known)
  if (text === undefined || unknown.length === 0) return undefined
  const hasOwn = unknown.every((expansion) => readingsOf(expansion).length > 0)
  return hasOwn && !text.includes(' ') ? undefined : text
}

/**
 * Other spellings of a word, best first. A word with a synonym from the merchant is correct as it
 * is.
 */
export function readingsOf({ synonyms, splits, corrections }: SlotExpansion): readonly string[] {
  if (synonyms.length > 0) return []
  const pairs = splits.toSorted((a, b) => shorterHalf(b) - shorterHalf(a))
  return [...pairs.map(({ left, right }) => `${left} ${right}`), ...corrections]
}

/**
 * The text of a query with some words replaced and everything else as typed. Words in quotes or
 * after a minus are not replaced.
 *
 * @param replacements by stem; an empty replacement also removes the space before the word
 */
export function replaceWords(
  query: AnalysedQuery,
  replacements: ReadonlyMap<string, string>,
): string {
  const { text: q, analyzer } = query
  if (replacements.size === 0) return q
  const { syntax, tokens } = query
  let replaced = ''
  let copiedTo = 0
  for (const token of tokens) {
    if (token.kind !== 'word') continue
    const replacement = replacements.get(analyzer.stem(token.form))
    if (replacement === undefined) continue
    if (isLiteral(syntax, token)) continue
    const before = q.slice(copiedTo, token.start)
    replaced += replacement === '' ? before.trimEnd() : before + replacement
    copiedTo = token.end
  }
  return replaced + q.slice(copiedTo)
}

/**
 * The likelier split is the one in the middle: a single letter and the rest occur together by
 * chance.
 */
function shorterHalf({ left, right }: SlotExpansion['splits'][number]): number {
  return Math.min(left.length, right.length)
}
