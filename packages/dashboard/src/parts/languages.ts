/**
 * Languages to choose from: those with their own inflection rules, and those written without
 * spaces. Any other tag can be set through the API.
 */
export const LANGUAGES: readonly string[] =
  'en ar da de el es fi fr ga hi hu hy id it ja ko lt nb nl nn pt ro ru sv ta th tr uk zh'.split(
    ' ',
  )

const NAMES = new Intl.DisplayNames(undefined, { type: 'language', fallback: 'code' })

/** `German`; an invalid tag is shown as it is. */
export function languageName(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag
  } catch {
    return tag
  }
}
