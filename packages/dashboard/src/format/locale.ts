/**
 * The first of these locales that browsers understand: some systems name theirs `en-US@posix` or
 * `C`, for which every format throws.
 */
export function knownLocale(tags: readonly string[]): string {
  for (const tag of tags) {
    try {
      return Intl.getCanonicalLocales(tag.split('@', 1)).at(0) ?? FALLBACK
    } catch {
      continue
    }
  }
  return FALLBACK
}

const FALLBACK = 'en'

/** The reader's locale, for code that has to be given one. */
export function readerLocale(): string {
  return knownLocale([...navigator.languages, navigator.language])
}

/** For libraries that read the language of the browser and fail with an odd one, as uPlot does. */
export function mendLanguage(): void {
  const locale = knownLocale([navigator.language])
  if (locale === navigator.language) return
  Object.defineProperty(navigator, 'language', { value: locale, configurable: true })
}
