import type { Analyzer, Token } from '@aisle/engine'

/**
 * Words after which a title names what a product is for, by language of the store ("Purpose" in
 * docs/ranking.md). The words after them name another product: "case for Nova phone". Measured in
 * English only.
 */
const ACCESSORY_MARKS: Readonly<Record<string, string>> = {
  en: 'for with compatible fits',
  da: 'til med passer kompatibel',
  de: 'für mit passend kompatibel',
  es: 'para con compatible',
  fr: 'pour avec compatible',
  it: 'per con compatibile',
  nb: 'til med passer kompatibel',
  nl: 'voor met geschikt compatibel',
  no: 'til med passer kompatibel',
  pt: 'para com compatível',
  sv: 'för till med passar kompatibel',
}

/**
 * The marks for a query, as forms.
 *
 * @returns undefined if the language has none, or if the query has one itself: a search
 *   for "case for nova" wants "nova" after it
 */
export function accessoryMarks(
  analyzer: Analyzer,
  query: readonly Token[],
): readonly string[] | undefined {
  const marks = purposeMarks(analyzer)
  const hasNone = marks.length === 0 || query.some(({ form }) => marks.includes(form))
  return hasNone ? undefined : marks
}

/** Each analyzer folds its marks once: every search needs them. */
const folded = new WeakMap<Analyzer, readonly string[]>()

export function purposeMarks(analyzer: Analyzer): readonly string[] {
  let marks = folded.get(analyzer)
  if (marks === undefined) {
    const words = ACCESSORY_MARKS[analyzer.language]?.split(' ') ?? []
    marks = words.map((word) => analyzer.fold(word))
    folded.set(analyzer, marks)
  }
  return marks
}
