import type { Analyzer } from '../analysis/analyzer.ts'
import type { Schema } from '../schema/schema.ts'
import { averageLength } from '../scoring/formula.ts'
import type { NaiveDocument } from './naive-document.ts'
import { fieldLength, tokensOf } from './naive-document.ts'

/** Everything that query words are looked up in. */
export interface WordSource {
  readonly documents: readonly NaiveDocument[]
  readonly statistics: NaiveStatistics
  readonly analyzer: Analyzer
}

/**
 * Statistics on the words of all live documents. Removed documents do not count; the searched
 * fields make no difference.
 */
export class NaiveStatistics {
  readonly #docKeysByForm = new Map<string, Set<number>>()
  readonly #docKeysByStem = new Map<string, Set<number>>()
  readonly #formsByStem = new Map<string, Set<string>>()
  readonly #stemByForm = new Map<string, string>()
  readonly #titleDocFreqs = new Map<string, number>()

  /** N: live documents. */
  readonly docCount: number
  /** By field ordinal, in tokens, over the documents that have a token in the field. */
  readonly averageLengths: readonly number[]

  constructor(documents: readonly NaiveDocument[], schema: Schema) {
    this.docCount = documents.length
    for (const document of documents) {
      for (const token of document.tokens.flat()) {
        addTo(this.#docKeysByForm, token.form, document.docKey)
        addTo(this.#docKeysByStem, token.stem, document.docKey)
        addTo(this.#formsByStem, token.stem, token.form)
        this.#stemByForm.set(token.form, token.stem)
      }
      for (const stem of document.titleWords) {
        this.#titleDocFreqs.set(stem, this.titleDocFreq(stem) + 1)
      }
    }
    this.averageLengths = schema.fields.map((_, field) => {
      const withTokens = documents.filter((document) => tokensOf(document, field).length > 0)
      const totalLength = withTokens.reduce(
        (sum, document) => sum + fieldLength(document, field),
        0,
      )
      return averageLength(totalLength, withTokens.length)
    })
  }

  /** Every form that a live document holds. */
  get forms(): readonly string[] {
    return [...this.#stemByForm.keys()]
  }

  /** The stem of a form that some document holds. */
  stemOf(form: string): string {
    return this.#stemByForm.get(form)!
  }

  /** Forms of a stem group that some document holds. */
  formsOfGroup(stem: string): ReadonlySet<string> {
    return this.#formsByStem.get(stem) ?? new Set()
  }

  /** df(form): live documents with this very form in any searchable field. */
  formDocFreq(form: string): number {
    return this.#docKeysByForm.get(form)?.size ?? 0
  }

  /** df(group): live documents with any form of the stem group in any searchable field. */
  groupDocFreq(stem: string): number {
    return this.docKeysOfGroup(stem).size
  }

  /** Live documents with the stem among their title words. */
  titleDocFreq(stem: string): number {
    return this.#titleDocFreqs.get(stem) ?? 0
  }

  docKeysOfGroup(stem: string): ReadonlySet<number> {
    return this.#docKeysByStem.get(stem) ?? new Set()
  }
}

function addTo<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([value]))
  else set.add(value)
}
