import { createAnalyzer, type Schema } from '@aisle/engine'
import { bodyFingerprint } from '../opensearch/body-fingerprint.ts'

/** The rules that the terms of documents were derived by: a fingerprint per language. */
export type TermRules = Readonly<Record<string, number>>

/** Returns the rules of this version for all languages of a store and its fields. */
export function termRules(language: string, { fields }: Schema): TermRules {
  const tags = [language, ...fields.flatMap((field) => field.language ?? [])]
  const languages = new Set(tags.map((tag) => createAnalyzer(tag).language))
  return Object.fromEntries(Array.from(languages, (one) => [one, bodyFingerprint(one)]))
}

/**
 * Whether documents may have other terms than this version would derive.
 *
 * @param rules by which they were derived
 */
export function isOutdated(
  rules: TermRules | undefined,
  language: string,
  schema: Schema,
): boolean {
  return Object.entries(termRules(language, schema)).some(([tag, own]) => rules?.[tag] !== own)
}
