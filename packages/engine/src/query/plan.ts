import type { ScoreExplanation } from './explanation.ts'
import type { FilterNode } from './filter.ts'
import type { PlannedPopularity } from './popularity.ts'

/**
 * A search, planned: everything that the middle stage (execute) needs, and nothing else. No query
 * string, no request parameter. Deeply frozen by convention: nobody changes a plan.
 */
export interface SearchPlan {
  /** The words of the query. Empty: every document matches, with score 0 (`*`). */
  readonly slots: readonly QuerySlot[]
  /** By field ordinal; 0 = not searched. Length = number of fields of the schema. */
  readonly fieldWeights: readonly number[]
  /** By field ordinal: `b`, how strongly a long field is discounted, 0..1. */
  readonly lengthNorms: readonly number[]
  /** Field ordinal in which neighbouring words earn the adjacent-pair bonus; -1 = none. */
  readonly titleField: number
  /** Every slot must match, in any field. */
  readonly requireAllTerms: boolean
  /**
   * The share of the points of the best document that a match must have, 0..1 ("Relevance").
   * Absent: any will do.
   */
  readonly minRelevance?: number
  /** A document that matches holds each of these in a searched field (`"red shoe"`). */
  readonly phrases: readonly Phrase[]
  /**
   * A document that holds one of these in a searched field does not match (`-word`, `-"red shoe"`).
   */
  readonly exclusions: readonly Phrase[]
  /**
   * The forms of the whole query, in order. Documents with a value that consists of these rank
   * before all others ("Exact value" in docs/ranking.md). Empty: no such boost.
   */
  readonly exactValue: readonly string[]
  /** By field ordinal: may a value of the field be the query? Only fields with a weight count. */
  readonly exactValueFields: readonly boolean[]
  /** Documents with a fixed place among the hits. By position; no id and no position twice. */
  readonly pins: readonly PlannedPin[]
  /** Boosts: factors on the points of documents that match a filter. */
  readonly boosts: readonly PlannedBoost[]
  /** Popularity from visitor events. Absent: it is 0 for all documents. */
  readonly popularity?: PlannedPopularity
  readonly filter?: FilterNode
  /** Best first. After the last key: text match score (unless it is a key), then newest first. */
  readonly sort: readonly SortKey[]
  readonly facets: readonly FacetRequest[]
  /**
   * When counting a facet, leave out the top-level AND clauses of `filter` that test only its
   * field.
   */
  readonly disjunctiveFacets: boolean
  /** Hits to return: ranks `from` .. `from + size - 1`, from 0. */
  readonly from: number
  readonly size: number
  /** Every hit comes with the tree of its score. */
  readonly explain: boolean
  /**
   * `performance.now()` after which the search returns what it has, with `cutoff`. Absent: never.
   */
  readonly deadlineMs?: number
}

/** One word of the query and its alternatives. */
export interface QuerySlot {
  /** Folded text as typed. */
  readonly form: string
  /** `Analyzer.stem(form)`: all forms with this stem match, the typed one best. */
  readonly stem: string
  /** W: how much the word counts: 1, a unit .8, a stopword .5. */
  readonly weight: number
  /** Of a unit: the stem of the number that it stands behind. */
  readonly unitOf?: string
  /** A stopword does not make a match by itself and need not match. */
  readonly stopword: boolean
  /** Joined spellings over this and neighbouring slots ("bed spread" -> bedspread). */
  readonly joined: readonly PlannedWord[]
  /**
   * Two neighbouring words that may stand for it ("bedspread" -> bed, spread), every cut of the
   * form.
   */
  readonly splits: readonly { readonly left: string; readonly right: string }[]
  /**
   * Words side by side that are the same letters and digits written apart (iphone15: iphone, 15);
   * two or more each.
   */
  readonly apart: readonly (readonly PlannedWord[])[]
  /**
   * What it may be part of, with a neighbour, when a word of the two is unknown: "sun flawer",
   * "sunf lower".
   */
  readonly respelt: readonly Respelling[]
  /**
   * Off; `always`: forms that start with `form` match too; `fallback`: only when nothing else
   * matches the slot.
   */
  readonly prefix: 'off' | 'always' | 'fallback'
  /**
   * Off; `always`: forms that hold one of `infixTexts` inside match too; `fallback`: only when
   * nothing else matches the slot.
   */
  readonly infix: 'off' | 'always' | 'fallback'
  /** Synonyms: single words, or several that must stand side by side. */
  readonly synonyms: readonly Synonym[]
  /** Words of synonym sets that it may be misspelt of; none when it has synonyms itself. */
  readonly explained: readonly ExplainedWord[]
  /** Edits allowed: 0, 1 or 2 (Damerau-Levenshtein, optimal string alignment, over code points). */
  readonly edits: 0 | 1 | 2
}

/**
 * Two neighbouring words of letters as one word, which may have been meant, or be cut elsewhere.
 */
export interface Respelling extends PlannedWord {
  /** Stems of the two. */
  readonly words: readonly [string, string]
  /** Cuts where the space may have slipped from. */
  readonly splits: QuerySlot['splits']
  /** Edits allowed to the one word. */
  readonly edits: 0 | 1
}

/** Words that stand side by side, in order, in one searched field; a phrase may have one word. */
export interface Phrase {
  /**
   * Ways to write it, any of which will do: `t-shirt red` is t, shirt, red or tshirt, red. Never
   * empty, and none of them is.
   */
  readonly spellings: readonly (readonly PlannedWord[])[]
  /** All forms of the words' stem groups will do; else only the forms themselves. */
  readonly inflected: boolean
}

/**
 * A document that is found, whatever its words, if it meets filter, phrases and exclusions; it
 * stands at its place whatever the order of the others.
 */
export interface PlannedPin {
  readonly id: string
  /** From 1. */
  readonly position: number
}

export interface PlannedBoost {
  readonly filter: FilterNode
  /** Factor on the points of a document that matches the filter; positive. */
  readonly factor: number
}

/** A word that a synonym set knows, whether the catalog does or not. */
export interface ExplainedWord extends PlannedWord {
  /** Edits between the typed word and this one. */
  readonly distance: 1 | 2
  readonly synonyms: readonly Synonym[]
}

export interface Synonym {
  /** Never empty. */
  readonly words: readonly PlannedWord[]
}

export interface PlannedWord {
  readonly form: string
  /** `Analyzer.stem(form)` */
  readonly stem: string
}

export type SortKey =
  | {
      readonly kind: 'field'
      readonly field: number
      readonly descending: boolean
      readonly missing: 'first' | 'last'
    }
  | { readonly kind: 'textMatch'; readonly descending: boolean }
  | { readonly kind: 'popularity'; readonly descending: boolean }
  /** Documents that meet the filter are 1, others 0. */
  | { readonly kind: 'filter'; readonly filter: FilterNode; readonly descending: boolean }
  /** A shuffle that is the same for the same seed (a 32-bit integer). */
  | { readonly kind: 'random'; readonly seed: number; readonly descending: boolean }

export interface FacetRequest {
  readonly field: number
  /** Values to return at most. */
  readonly limit: number
  readonly order: 'count' | 'value'
  /** Named ranges instead of values: low inclusive, high exclusive, absent = open. */
  readonly ranges?: readonly {
    readonly name: string
    readonly low?: number | bigint
    readonly high?: number | bigint
  }[]
  /**
   * Only values with these words, in any order (the last one may go on), or with what comes
   * nearest. Not empty.
   */
  readonly query?: readonly FacetWord[]
  /** Ask for min, max, sum and average (numeric fields only). */
  readonly stats: boolean
}

/** A word that is looked for among the values of a facet. */
export interface FacetWord {
  readonly form: string
  /** Edits allowed, as in `QuerySlot`. */
  readonly edits: 0 | 1 | 2
}

/** The result of a backend. The present stage adds text and shape. */
export interface SearchOutcome {
  /** Exact number of matching documents, unless `cutoff`. */
  readonly found: number
  readonly hits: readonly RankedHit[]
  /** In the order of `plan.facets`. */
  readonly facets: readonly FacetOutcome[]
  /** The deadline struck: `found`, hits and facets cover a part of the index. */
  readonly cutoff: boolean
  /** By slot: what stood for the word, so that the present stage can mark it. */
  readonly expansions: readonly SlotExpansion[]
}

export interface RankedHit {
  readonly docKey: number
  /** Integer below 2^53: tier first, then score. 0 when the plan has no slots. */
  readonly textMatchScore: number
  /** The hit is pinned by the plan; its score is 0. */
  readonly pinned?: true
  /** When the plan asks to explain; pinned documents have none. */
  readonly explanation?: ScoreExplanation
}

export interface FacetOutcome {
  readonly field: number
  /** Strings as written, bools `true`/`false`, numbers in shortest decimal form, ranges by name. */
  readonly counts: readonly { readonly value: string; readonly count: number }[]
  /** Distinct values (all of them, not only those returned). */
  readonly totalValues: number
  /** Absent when no matching document has a value. int64: min, max and sum are bigint. */
  readonly stats?: {
    readonly min: number | bigint
    readonly max: number | bigint
    readonly sum: number | bigint
    readonly avg: number
  }
}

export interface SlotExpansion {
  /**
   * Some document holds the word itself, an inflection, a joined spelling or a compound of it, or
   * writes it apart.
   */
  readonly known: boolean
  /** Corrections, best first (at most 8 named of at most 16 that matched). */
  readonly corrections: readonly string[]
  /** The prefix alternative was in use. */
  readonly prefix: boolean
  /** Pairs that stood for the word. */
  readonly splits: readonly { readonly left: string; readonly right: string }[]
  /** Letters and digits apart, as some document has them. */
  readonly apart: readonly (readonly string[])[]
  /** What the word and a neighbour may have been meant as, the best first: one word, or two. */
  readonly respelt: readonly string[]
  /** Joined spellings that exist. */
  readonly joined: readonly string[]
  /**
   * Compounds that stood for the word, the commonest first (at most 32 named; all of them matched).
   */
  readonly compounds: readonly string[]
  /** The infix alternative was in use. */
  readonly infix: boolean
  /** Forms of the synonyms that some document holds. */
  readonly synonyms: readonly (readonly string[])[]
  /** The same of the words of synonym sets that it may be misspelt of. */
  readonly explained: readonly (readonly string[])[]
}
