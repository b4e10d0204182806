import type { Token } from '@aisle/engine'

/**
 * The words of a text, in order: plain tokens and units, with each number and the unit after it as
 * one word (`measure`). `16 gb ram` has two: a document with a separate 16 and GB does not match.
 */
export function wordsWithMeasures(tokens: readonly Token[]): Token[] {
  const words: Token[] = []
  let measured = -1
  for (const token of tokens) {
    // It follows its number, in the same place.
    if (token.measure === true) {
      const whole = withWhole(token)
      while (words.length > 0 && words.at(-1)!.position >= whole.position) words.pop()
      words.push(whole)
      measured = whole.position + whole.span
    } else if (token.kind !== 'joined' && token.position >= measured) words.push(token)
  }
  return words
}

/** Whether a word covers a position of the text. */
export function covers({ position, span }: Token, at: number): boolean {
  return position <= at && at < position + span
}

/** Whether a run of words ends between a number and its unit, or begins there. */
export function cutsMeasure(tokens: readonly Token[], run: readonly Token[]): boolean {
  const [first, last] = [run[0], run.at(-1)]
  if (first === undefined || last === undefined) return false
  const end = last.position + last.span
  return tokens.some((token) => {
    if (token.measure !== true) return false
    const measure = withWhole(token)
    const isCutBefore = measure.position < first.position && covers(measure, first.position)
    return isCutBefore || (covers(measure, last.position) && measure.position + measure.span > end)
  })
}

/** A measure from its whole number on. */
function withWhole(measure: Token): Token {
  return measure.hasWhole === true
    ? { ...measure, position: measure.position - 1, span: measure.span + 1 }
    : measure
}
