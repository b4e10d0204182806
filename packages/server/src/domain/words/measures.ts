import type { Token } from '@aisle/engine'

/**
 * The words of a text, in order: plain tokens and units, with each number and the unit behind it as
 * one word (`measure`). `16 gb ram` has two: a document with a 16 and a GB that are apart has not
 * what was asked for.
 */
export function wordsWithMeasures(tokens: readonly Token[]): Token[] {
  const words: Token[] = []
  let measured = -1
  for (const token of tokens) {
    // It follows its number, in the same place.
    if (token.measure === true) {
      while (words.length > 0 && words.at(-1)!.position >= token.position) words.pop()
      words.push(token)
      measured = token.position + token.span
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
  return tokens.some(
    (token) =>
      token.measure === true &&
      ((token.position < first.position && covers(token, first.position)) ||
        (covers(token, last.position) && token.position + token.span > last.position + last.span)),
  )
}
