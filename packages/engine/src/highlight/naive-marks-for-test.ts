import type { Analyzer } from '../analysis/analyzer.ts'
import { typedLength } from '../query/beginnings.ts'
import type { MatchWords } from './match-words.ts'

/**
 * The marks of a text, computed the slow way, for every UTF-16 unit separately. Ignores `infixes`.
 *
 * @returns by unit, whether it is marked
 */
export function naiveMarks(text: string, analyzer: Analyzer, words: MatchWords): boolean[] {
  const tokens = analyzer.analyze(text)
  const stems = tokens.map((token) => analyzer.stem(token.form))
  const allLittle = words.every((term) => term.isLittle)
  const matches: { start: number; end: number; from: number; to: number; carries: boolean }[] = []
  tokens.forEach((token, i) => {
    for (const term of words) {
      const carries = allLittle || !term.isLittle
      const range = { from: token.position, to: token.position + token.span, carries }
      const inSequence = term.sequences.some((sequence) =>
        sequence.some(
          (stem, place) =>
            stem === stems[i] &&
            sequence.every((other, otherPlace) =>
              tokens.some(
                ({ position }, j) =>
                  position === token.position - place + otherPlace && stems[j] === other,
              ),
            ),
        ),
      )
      if (term.stems.includes(stems[i]!) || inSequence) {
        matches.push({ start: token.start, end: token.end, ...range })
        continue
      }
      const length = term.prefix === undefined ? -1 : typedLength(token.form, term.prefix, analyzer)
      if (length >= 0) {
        const typed = lettersOf(token.form.slice(0, length))
        let end = token.start + 1
        const folded = (to: number) => analyzer.fold(text.slice(token.start, to))
        while (end < token.end && !lettersOf(folded(end)).startsWith(typed)) end++
        // A size in another spelling (½ inch is 0.5in) counts as a whole.
        if (!lettersOf(token.form).startsWith(lettersOf(folded(end)))) end = token.end
        // What folds to nothing (an accent, an invisible character) belongs to the previous letter.
        while (end < token.end && folded(end + 1) === folded(end)) end++
        matches.push({ start: token.start, end, ...range })
      }
    }
  })

  const marked = Array.from({ length: text.length }, () => false)
  for (const match of matches) {
    if (!carriesWith(match, matches)) continue
    for (const { index, segment } of graphemes.segment(text)) {
      const touches = index < match.end && index + segment.length > match.start
      if (touches) marked.fill(true, index, index + segment.length)
    }
  }
  return marked
}

type Place = { readonly from: number; readonly to: number; readonly carries: boolean }

/** Whether the match carries, or is linked to one that does by adjacent matches. */
function carriesWith(match: Place, matches: readonly Place[]): boolean {
  const linked = new Set([match])
  for (const one of linked) {
    for (const other of matches) if (other.from <= one.to && one.from <= other.to) linked.add(other)
  }
  return [...linked].some((one) => one.carries)
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
