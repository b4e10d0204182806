import type { Analyzer } from '../analysis/analyzer.ts'

/** Where query words are looked up. */
export interface WordSource {
  readonly catalog: WordCatalog
  readonly analyzer: Analyzer
}

/**
 * Statistics on the words of live documents. The naive twin counts its documents; a cluster is
 * queried. Independent of the searched fields, except for words in a row.
 */
export interface WordCatalog {
  /** N: live documents. */
  readonly docCount: number
  /** By field ordinal, in tokens, over the documents that have a token in the field. */
  readonly averageLengths: readonly number[]
  /** df(form): live documents with exactly this form in any searchable field. */
  formDocFreq(form: string): number
  /** df(group): live documents with any form of the stem group in any searchable field. */
  groupDocFreq(stem: string): number
  /** Live documents with forms of both stem groups. */
  bothDocFreq(stem: string, other: string): number
  /** Live documents with these words in a row. */
  rowDocFreq(row: WordRow): number
  /** Forms of a stem group in the catalog. */
  formsOfGroup(stem: string): readonly string[]
  /** A superset of the live forms of this kind. */
  formsLike(likeness: FormLikeness): readonly string[]
}

/** Kinds of forms to look up. Texts are folded. */
export type FormLikeness =
  | { readonly kind: 'beginning'; readonly text: string }
  | { readonly kind: 'inside'; readonly texts: readonly string[] }
  /** Within these edits of the text. */
  | { readonly kind: 'near'; readonly text: string; readonly edits: number }
  /** With a prefix within these edits of the text. */
  | { readonly kind: 'begun near'; readonly text: string; readonly edits: number }
  /** That begin with one of these, or end with `ending`, or whose stem ends with `stemEnding`. */
  | {
      readonly kind: 'compound'
      readonly beginnings: readonly string[]
      readonly ending: string
      readonly stemEnding: string
    }

/** Words side by side, in this order, in one of the searched fields. */
export interface WordRow {
  readonly stems: readonly string[]
  /** By field ordinal: 0 is not searched. */
  readonly fieldWeights: readonly number[]
  /** Documents with this stem in a searched field do not count. */
  readonly without?: string
}
