/**
 * What decides how the texts of a store become tokens: its language, and two lists of characters.
 * Written as one text, the **name** of an analysis, it is kept with every index, and an index of
 * another name is made anew: `en`, or `en +# /` with symbols and separators.
 */
export interface Analysis {
  /** BCP 47 tag. */
  readonly language: string
  /** Characters that are part of words, as `characterList` makes them. */
  readonly symbols: string
  /** Characters that are like a space. */
  readonly separators: string
}

export function analysisName({ language, symbols, separators }: Analysis): string {
  return symbols === '' && separators === '' ? language : `${language} ${symbols} ${separators}`
}

export function readAnalysisName(name: string): Analysis {
  const [language = '', symbols = '', separators = ''] = name.split(' ')
  return { language, symbols, separators }
}

/** Characters as a text: each once, in order of code points. */
export function characterList(characters: Iterable<string>): string {
  return [...new Set(characters)].sort().join('')
}
