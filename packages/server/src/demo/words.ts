/** Splits 'a, b, c' into ['a', 'b', 'c'], so that lists of words read like lists in the source. */
export function words(list: string): readonly string[] {
  return list
    .split(',')
    .map((word) => word.trim().replaceAll(/\s+/g, ' '))
    .filter((word) => word !== '')
}

/** Splits a text with one sentence or phrase per line. */
export function lines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
