import { createAnalyzer } from '@aisle/engine'
import type { Schema } from '@aisle/engine'
import { bodyFingerprint } from '../opensearch/body-fingerprint.ts'

/** By which rules the terms of documents were made: a fingerprint by language. */
export type TermRules = Readonly<Record<string, number>>

/** The rules of this version for all languages that a store has, in its fields too. */
export function termRules(language: string, { fields }: Schema): TermRules {
  const tags = [language, ...fields.flatMap((field) => field.language ?? [])]
  const languages = new Set(tags.map((tag) => createAnalyzer(tag).language))
  return Object.fromEntries(Array.from(languages, (one) => [one, bodyFingerprint(one)]))
}

/**
 * Whether documents may have other terms than this version would make.
 *
 * @param rules by which they were made
 */
export function isOutdated(
  rules: TermRules | undefined,
  language: string,
  schema: Schema,
): boolean {
  return Object.entries(termRules(language, schema)).some(([tag, own]) => rules?.[tag] !== own)
}
