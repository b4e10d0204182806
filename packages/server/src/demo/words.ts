/** 'a, b, c' -> ['a', 'b', 'c']: lists of words that read like lists in the source. */
export function words(list: string): readonly string[] {
  return list
    .split(',')
    .map((word) => word.trim().replaceAll(/\s+/g, ' '))
    .filter((word) => word !== '')
}

/** One sentence or phrase a line. */
export function lines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
