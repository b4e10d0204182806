import type { Schema } from '../schema/schema.ts'
import { averageLength } from '../scoring/formula.ts'
import type { CandidateDocument } from '../rescoring/candidate-document.ts'
import { fieldLength, holdsRow, tokensOf } from '../rescoring/candidate-document.ts'
import type { WordCatalog, WordRow } from '../rescoring/word-catalog.ts'

/** Statistics on the words of all live documents, regardless of the searched fields. */
export class NaiveStatistics implements WordCatalog {
  readonly #documents: readonly CandidateDocument[]
  readonly #docKeysByForm = new Map<string, Set<number>>()
  readonly #docKeysByStem = new Map<string, Set<number>>()
  readonly #formsByStem = new Map<string, Set<string>>()

  readonly docCount: number
  readonly averageLengths: readonly number[]

  constructor(documents: readonly CandidateDocument[], schema: Schema) {
    this.#documents = documents
    this.docCount = documents.length
    for (const document of documents) {
      for (const token of document.tokens.flat()) {
        addTo(this.#docKeysByForm, token.form, document.docKey)
        addTo(this.#docKeysByStem, token.stem, document.docKey)
        addTo(this.#formsByStem, token.stem, token.form)
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

  formDocFreq(form: string): number {
    return this.#docKeysByForm.get(form)?.size ?? 0
  }

  groupDocFreq(stem: string): number {
    return this.#docKeysOfGroup(stem).size
  }

  bothDocFreq(stem: string, other: string): number {
    const docKeys = this.#docKeysOfGroup(stem)
    return [...this.#docKeysOfGroup(other)].filter((key) => docKeys.has(key)).length
  }

  rowDocFreq(row: WordRow): number {
    return this.#documents.filter((document) => holdsRow(document, row)).length
  }

  formsOfGroup(stem: string): readonly string[] {
    return [...(this.#formsByStem.get(stem) ?? [])]
  }

  /** All forms: the caller filters them. */
  formsLike(): readonly string[] {
    return [...this.#docKeysByForm.keys()]
  }

  #docKeysOfGroup(stem: string): ReadonlySet<number> {
    return this.#docKeysByStem.get(stem) ?? new Set()
  }
}

function addTo<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([value]))
  else set.add(value)
}
