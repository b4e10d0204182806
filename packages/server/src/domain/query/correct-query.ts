import type { QuerySlot, SlotExpansion } from '@aisle/engine'
import type { AnalysedQuery } from './analysed-query.ts'
import { isLiteral } from './query-syntax.ts'

/**
 * The query as it was understood: each word that no document holds, in any spelling, is replaced by
 * what stood for it: two words side by side, its best correction, or what it was with a neighbour.
 *
 * @param expansions what stood for each of `words`, in their order
 * @returns undefined when nothing was corrected
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
 * What a word and the next one were written apart of: "sunflower" for "sun flawer". Of one word
 * when the unknown one of the two has no correction of its own.
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
 * How else a word may be written, best first. A word that the merchant has explained by a synonym
 * is right as it is.
 */
export function readingsOf({ synonyms, splits, corrections }: SlotExpansion): readonly string[] {
  if (synonyms.length > 0) return []
  const pairs = splits.toSorted((a, b) => shorterHalf(b) - shorterHalf(a))
  return [...pairs.map(({ left, right }) => `${left} ${right}`), ...corrections]
}

/**
 * The text of a query with some words replaced, everything else as it was typed. What stands in
 * quotes or behind a minus was meant as it is.
 *
 * @param replacements by stem; a word that is replaced by nothing goes with the space before it
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

/** The likelier cut is the one in the middle: one letter and the rest stand together by chance. */
function shorterHalf({ left, right }: SlotExpansion['splits'][number]): number {
  return Math.min(left.length, right.length)
}
