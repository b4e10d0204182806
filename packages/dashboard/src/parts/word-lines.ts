/** One entry a line: blanks at its ends do not count, nor do empty lines and repeated entries. */
export function linesToWords(text: string): string[] {
  const words = text.split('\n').map((line) => line.trim())
  return [...new Set(words.filter((word) => word !== ''))]
}

export function wordsToLines(words: readonly string[]): string {
  return words.join('\n')
}
