import type { Analyzer, Token } from '@aisle/engine'
import type { QueryPart } from '../query/query-syntax.ts'

/**
 * The parts of a query that are one of some texts, word by word: a visitor wants them as words.
 *
 * @param tokens of the query
 */
export function keptTexts(
  tokens: readonly Token[],
  texts: readonly string[],
  analyzer: Analyzer,
): QueryPart[] {
  if (texts.length === 0) return []
  const words = tokens.filter(({ kind }) => kind !== 'joined')
  return texts.flatMap((text) => {
    const forms = analyzer
      .analyze(text)
      .flatMap(({ kind, form }) => (kind === 'joined' ? [] : form))
    if (forms.length === 0) return []
    return words.flatMap(({ start }, from): QueryPart[] => {
      const isHere = forms.every((form, i) => words[from + i]?.form === form)
      return isHere ? [{ start, end: words[from + forms.length - 1]!.end }] : []
    })
  })
}
