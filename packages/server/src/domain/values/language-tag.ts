/** The language of a store that has not set one. */
export const DEFAULT_LANGUAGE = 'en'

/** The canonical spelling of a BCP 47 tag (`de-at`: `de-AT`); undefined if it is not one. */
export function canonicalLanguage(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}
