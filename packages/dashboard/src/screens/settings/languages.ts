/**
 * Languages to choose from: those with rules of their own for the forms of a word, and those whose
 * words stand without spaces. Any other tag can be set through the interface.
 */
export const LANGUAGES: readonly string[] =
  'en ar da de el es fi fr ga hi hu hy id it ja ko lt nb nl nn pt ro ru sv ta th tr uk zh'.split(
    ' ',
  )

const NAMES = new Intl.DisplayNames(undefined, { type: 'language', fallback: 'code' })

/** `German`; a tag that is none stands for itself. */
export function languageName(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag
  } catch {
    return tag
  }
}
