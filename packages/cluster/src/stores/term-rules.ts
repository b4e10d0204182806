import { createAnalyzer, isVector, type Schema } from '@aisle/engine'
import { bodyFingerprint } from '../opensearch/body-fingerprint.ts'

/**
 * The rules that the terms of documents were derived by: a fingerprint per language, and a version
 * for vectors, because older nodes leave those out.
 */
export type TermRules = Readonly<Record<string, number>>

/** Raise it when vectors are stored differently. */
const VECTORS_VERSION = 1

/** Returns the rules of this version for all languages of a store and its fields. */
export function termRules(language: string, { fields }: Schema): TermRules {
  const tags = [language, ...fields.flatMap((field) => field.language ?? [])]
  const languages = new Set(tags.map((tag) => createAnalyzer(tag).language))
  const rules = Array.from(languages, (one): [string, number] => [one, bodyFingerprint(one)])
  return Object.fromEntries(
    fields.some(isVector) ? [...rules, ['vectors', VECTORS_VERSION]] : rules,
  )
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
