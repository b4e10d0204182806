/**
 * What decides how the texts of a store become tokens: its language, and two lists of characters.
 * As one text it is the **name** of an analysis: `en`, or `en +# /` with symbols and separators.
 * Every index stores its name, and a new name means a new index.
 */
export interface Analysis {
  /** BCP 47 tag. */
  readonly language: string
  /** Characters that are part of words, as `characterList` makes them. */
  readonly symbols: string
  /** Characters treated as spaces. */
  readonly separators: string
}

/** The name of an analysis: the inverse of `readAnalysisName`. */
export function analysisName({ language, symbols, separators }: Analysis): string {
  return symbols === '' && separators === '' ? language : `${language} ${symbols} ${separators}`
}

/** @returns the analysis of a name; a plain BCP 47 tag has no symbols or separators */
export function readAnalysisName(name: string): Analysis {
  const [language = '', symbols = '', separators = ''] = name.split(' ')
  return { language, symbols, separators }
}

/** Distinct characters as a text, in order of code points. */
export function characterList(characters: Iterable<string>): string {
  return [...new Set(characters)].sort().join('')
}
