import type { ScoreExplanation } from './explanation.ts'
import type { DistanceOrder } from '../places/distance.ts'
import type { FilterNode } from './filter.ts'
import type { Scalar } from '../schema/schema.ts'
import type { QueryVector } from '../vectors/quantise.ts'
import type { MeaningRule } from '../scoring/meaning.ts'
import type { PlannedNumeric } from '../scoring/numeric-signal.ts'
import type { PlannedLearning } from './learning.ts'
import type { PlannedPersonal } from './personal.ts'
import type { PlannedPopularity } from './popularity.ts'
import type { RankingPart } from './ranking-parts.ts'

/**
 * A planned search: everything that the execute stage needs, and nothing else. No query string, no
 * request parameters. Immutable by convention.
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
  /**
   * Forms after which a title says what a product is for ("for", "with"): "Purpose" in
   * docs/ranking.md. Never empty; absent: no title has a purpose.
   */
  readonly accessoryMarks?: readonly string[]
  /** Whether query words before them earn a bonus ("Accessories"). */
  readonly accessoriesDown?: boolean
  /**
   * Which slots a match must have, in any field: `true`, every one; `false`, one that makes a match
   * alone; `auto`, every significant one while enough documents do ("Which words must match" in
   * docs/ranking.md).
   */
  readonly requireAllTerms: boolean | 'auto'
  /**
   * What the searcher may see (also part of `filter`): only these documents decide what `auto`
   * means. Absent: the whole index.
   */
  readonly scope?: FilterNode
  /** Minimum share of the best document's points, 0..1 ("Relevance"). Absent: no minimum. */
  readonly minRelevance?: number
  /** A match contains each of these in a searched field (`"red shoe"`). */
  readonly phrases: readonly Phrase[]
  /** A match contains none of these in a searched field (`-word`, `-"red shoe"`). */
  readonly exclusions: readonly Phrase[]
  /**
   * The forms of the whole query, in order. Documents with a value of exactly these forms rank
   * before all others ("Exact value" in docs/ranking.md). Empty: no such boost.
   */
  readonly exactValue: readonly string[]
  /**
   * By field ordinal: whether a value of the field may equal the query. Ignored for fields without
   * a weight.
   */
  readonly exactValueFields: readonly boolean[]
  /** Documents with a fixed rank. No id and no position occurs twice. */
  readonly pins: readonly PlannedPin[]
  /** Boosts: factors on the points of documents that match a filter. */
  readonly boosts: readonly PlannedBoost[]
  /** The taste of the visitor. Absent: nothing is personal. */
  readonly personal?: PlannedPersonal
  /** Popularity from visitor events. Absent: it is 0 for all documents. */
  readonly popularity?: PlannedPopularity
  /** What was learned from clicks about this query. Absent: nothing. */
  readonly learning?: PlannedLearning
  /** What the query means, to which documents are compared. Only with words. */
  readonly meaning?: PlannedMeaning
  /** A number of the shop that multiplies points. */
  readonly numeric?: PlannedNumeric
  readonly filter?: FilterNode
  /** Best first. After the last key: text match score (unless it is a key), then newest first. */
  readonly sort: readonly SortKey[]
  readonly facets: readonly FacetRequest[]
  /**
   * When counting a facet, leave out the top-level AND clauses of `filter` that test only its
   * field.
   */
  readonly disjunctiveFacets: boolean
  /** Groups documents with the same values. Absent: no groups. */
  readonly groups?: PlannedGroups
  /**
   * Hits to return: ranks `from` .. `from + size - 1`, from 0. With `groups`, ranks are those of
   * groups.
   */
  readonly from: number
  readonly size: number
  /** Parts of the ranking to leave out. Absent: none. */
  readonly without?: readonly RankingPart[]
  /** Whether every hit has its score explanation. */
  readonly explain: boolean
  /**
   * `performance.now()` after which the search returns its results so far, with `cutoff`. Absent:
   * no deadline.
   */
  readonly deadlineMs?: number
}

/** "Meaning" in docs/ranking.md. */
export interface PlannedMeaning extends MeaningRule {
  /** Ordinal of a `vector` field. */
  readonly field: number
  readonly vector: QueryVector
  /**
   * Similarity from which documents without a word of the query are found. Absent: none are.
   */
  readonly least?: number
}

/** "Groups" in docs/ranking.md. */
export interface PlannedGroups {
  /**
   * Ordinals of single-valued fields: documents with the same values in all of them are a group.
   */
  readonly fields: readonly number[]
  /** Maximum number of hits per group, from 1. */
  readonly limit: number
  /**
   * Documents without a value of a group field: `together`, a missing value groups like any other;
   * `apart`, each document is a separate group.
   */
  readonly missing: 'together' | 'apart'
  /** The unit of facet counts. */
  readonly facetCount: 'documents' | 'groups'
}

/** A query term and its alternatives. */
export interface QuerySlot {
  /** Folded text as typed. */
  readonly form: string
  /** `Analyzer.stem(form)`: all forms with this stem match, the typed one best. */
  readonly stem: string
  /** W: weight of the word: 1 for most words, 0.7 for a size, 0.5 for a stopword. */
  readonly weight: number
  /** For a unit: the stem of the number before it. */
  readonly unitOf?: string
  /**
   * A stopword need not match and makes no match alone. The same holds for a part of a size (the 16
   * of 16gb).
   */
  readonly stopword: boolean
  /** Joined spellings over this and neighbouring slots ("bed spread" -> bedspread). */
  readonly joined: readonly JoinedSpelling[]
  /**
   * Two neighbouring words that may match it ("bedspread" -> bed, spread), for every split of the
   * form.
   */
  readonly splits: readonly { readonly left: string; readonly right: string }[]
  /**
   * The same letters and digits as several words side by side (iphone15: iphone, 15); two or more
   * words each.
   */
  readonly apart: readonly (readonly PlannedWord[])[]
  /**
   * Words that it may form with a neighbour when one of the two is unknown: "sun flawer", "sunf
   * lower".
   */
  readonly respelt: readonly Respelling[]
  /**
   * The word and joined spellings of it that may be pieces of a longer number (gtx1080 of
   * GTX1080Ti, 7567/20 of HD7567/20): forms that hold one match too (`isPieceOf`). Absent: none.
   */
  readonly pieces?: readonly string[]
  /**
   * `off`; `always`: forms that start with `form` match too; `fallback`: they match only if nothing
   * else matches the slot.
   */
  readonly prefix: 'off' | 'always' | 'fallback'
  /**
   * `off`; `always`: forms that contain one of `infixTexts` match too; `fallback`: they match only
   * if nothing else matches the slot.
   */
  readonly infix: 'off' | 'always' | 'fallback'
  /** Synonyms: single words, or several that must be side by side. */
  readonly synonyms: readonly Synonym[]
  /** Words of synonym sets that it may begin or misspell; empty if it has synonyms itself. */
  readonly explained: readonly ExplainedWord[]
  /** Edits allowed: 0, 1 or 2 (Damerau-Levenshtein, optimal string alignment, over code points). */
  readonly edits: 0 | 1 | 2
}

/** A spelling over a word and its neighbours, or a second spelling of the word. */
export interface JoinedSpelling extends PlannedWord {
  /**
   * The word without its symbols (c++: c): a poor alternative where documents have the word itself.
   */
  readonly bare?: true
}

/** Two neighbouring words of letters as one word, which may be meant or may split elsewhere. */
export interface Respelling extends PlannedWord {
  /** Stems of the two words. */
  readonly words: readonly [string, string]
  /** Splits at other positions of the space. */
  readonly splits: QuerySlot['splits']
  /** Edits allowed to the joined word. */
  readonly edits: 0 | 1
}

/** Words that are side by side, in order, in one searched field; a phrase may have one word. */
export interface Phrase {
  /**
   * Its spellings, any of which matches: `t-shirt red` is t, shirt, red or tshirt, red. Neither the
   * list nor a spelling is empty.
   */
  readonly spellings: readonly (readonly PlannedWord[])[]
  /** Whether all forms of the words' stem groups match, or only the forms themselves. */
  readonly inflected: boolean
}

/**
 * A document that is found, regardless of its words, if it matches filter, phrases and exclusions.
 * Its position does not depend on the order of the others.
 */
export interface PlannedPin {
  readonly id: string
  /** From 1. */
  readonly position: number
  /** The query is the id; no rule pins it. */
  readonly byId?: true
}

/** A factor on the points of documents that match a filter. */
export interface PlannedBoost {
  readonly filter: FilterNode
  /** Factor on the points of a document that matches the filter; positive. */
  readonly factor: number
}

/** A word of a synonym set; the catalog may lack it. */
export interface ExplainedWord extends PlannedWord {
  /** Edits between the typed word and this one, or its beginning; 0: the typed word begins it. */
  readonly distance: 0 | 1 | 2
  readonly synonyms: readonly Synonym[]
}

export interface Synonym {
  /** Never empty. */
  readonly words: readonly PlannedWord[]
}

/** A word as the index knows it. */
export interface PlannedWord {
  readonly form: string
  /** `Analyzer.stem(form)` */
  readonly stem: string
}

/** One key of the sort order. */
export type SortKey =
  | {
      readonly kind: 'field'
      readonly field: number
      readonly descending: boolean
      readonly missing: 'first' | 'last'
    }
  /** With `buckets`, only the tier and the share of a full match count: see `bucketOf`. */
  | { readonly kind: 'textMatch'; readonly descending: boolean; readonly buckets?: number }
  | { readonly kind: 'popularity'; readonly descending: boolean }
  /** 1 for documents that meet the filter, 0 for others. */
  | { readonly kind: 'filter'; readonly filter: FilterNode; readonly descending: boolean }
  /** Distance to the nearest place of a geopoint field, in metres. */
  | (DistanceOrder & {
      readonly kind: 'distance'
      readonly field: number
      readonly descending: boolean
      readonly missing: 'first' | 'last'
    })
  /** Similarity of the vector of a `vector` field; documents without one come last. */
  | {
      readonly kind: 'similarity'
      readonly field: number
      readonly vector: QueryVector
      readonly descending: boolean
    }
  /** A shuffle determined by the seed (a 32-bit integer). */
  | { readonly kind: 'random'; readonly seed: number; readonly descending: boolean }

/** A facet to count. */
export interface FacetRequest {
  readonly field: number
  /** Maximum number of values. */
  readonly limit: number
  readonly order: 'count' | 'value'
  /** Named ranges instead of values: low inclusive, high exclusive, absent = open. */
  readonly ranges?: readonly {
    readonly name: string
    readonly low?: number | bigint
    readonly high?: number | bigint
  }[]
  /** Calendar intervals instead of values, for dates. Leaves out those without documents. */
  readonly intervals?: FacetIntervals
  /**
   * Only values with these words in any order (the last one may be incomplete), or the nearest
   * ones. Not empty.
   */
  readonly query?: readonly FacetWord[]
  /** Whether to compute min, max, sum and average (numeric fields only). */
  readonly stats: boolean
}

/** How a calendar divides time. Pure: the same value always has the same interval. */
export interface FacetIntervals {
  /** The interval that contains a value. */
  intervalOf(value: number): FacetInterval
  /** Maximum span from the first to the last interval; above it, none is counted. */
  readonly spanMax: number
}

/** Low inclusive, high exclusive. */
export interface FacetInterval {
  readonly low: number
  readonly high: number
}

/** A word to find among the values of a facet. */
export interface FacetWord {
  readonly form: string
  /** Edits allowed, as in `QuerySlot`. */
  readonly edits: 0 | 1 | 2
}

/** The result of a backend. The present stage adds text and presentation. */
export interface SearchOutcome {
  /** Exact number of matching documents, unless `cutoff`. */
  readonly found: number
  /** With `plan.groups`: hits group by group, in the order of the page. */
  readonly hits: readonly RankedHit[]
  /** Present if the plan asks for groups. */
  readonly groups?: GroupsOutcome
  /** In the order of `plan.facets`. */
  readonly facets: readonly FacetOutcome[]
  /** The search timed out: `found`, hits and facets cover only part of the index. */
  readonly cutoff: boolean
  /** How many of `found` no word found, only their meaning. Absent: none. */
  readonly foundByMeaning?: number
  /** Whether every match has all significant slots; always `all` with at most one. */
  readonly matchedTerms: 'all' | 'any'
  /** By slot: what matched the word, so that the present stage can mark it. */
  readonly expansions: readonly SlotExpansion[]
}

export interface GroupsOutcome {
  /** Exact number of groups of all matching documents, unless `cutoff`. */
  readonly found: number
  /** The groups of the page, in order. */
  readonly page: readonly GroupOutcome[]
}

export interface GroupOutcome {
  /** In the order of the group fields; null if its documents lack a value. */
  readonly key: readonly (Scalar | null)[]
  /** Matching documents in the group. */
  readonly found: number
  /** Number of `SearchOutcome.hits` in this group. */
  readonly hitCount: number
}

/** A document of the page. */
export interface RankedHit {
  readonly docKey: number
  /** Integer below 2^53: tier first, then score. 0 if the plan has no slots. */
  readonly textMatchScore: number
  /** The hit is pinned by the plan; its score is 0. */
  readonly pinned?: true
  /** Pinned because the query is its id. */
  readonly byId?: true
  /** Present if the plan asks for it; pinned documents have none. */
  readonly explanation?: ScoreExplanation
}

/** The counts of a requested facet. */
export interface FacetOutcome {
  readonly field: number
  /**
   * Strings as written, bools `true`/`false`, numbers in shortest decimal form, ranges by name,
   * intervals by their low end.
   */
  readonly counts: readonly {
    readonly value: string
    readonly count: number
    readonly interval?: FacetInterval
  }[]
  /** The intervals span too much: see `FacetIntervals.spanMax`. */
  readonly isTooWide?: true
  /** Number of all distinct values, beyond those returned. */
  readonly totalValues: number
  /** Absent when no matching document has a value. int64: min, max and sum are bigint. */
  readonly stats?: {
    readonly min: number | bigint
    readonly max: number | bigint
    readonly sum: number | bigint
    readonly avg: number
  }
}

/** What matched a query term. */
export interface SlotExpansion {
  /**
   * Some document has the word itself, an inflection, a joined spelling or a compound of it, or
   * writes it apart.
   */
  readonly known: boolean
  /** Corrections, best first: at most 8, although up to 16 may have matched. */
  readonly corrections: readonly string[]
  /** If nothing matches the word: near words that were probably not meant, best first. */
  readonly unlikely: readonly string[]
  /** Whether the prefix alternative was used. */
  readonly prefix: boolean
  /** The pieces that some form in the catalog holds. */
  readonly pieces?: readonly string[]
  /** Pairs that match the word. */
  readonly splits: readonly { readonly left: string; readonly right: string }[]
  /** Letters and digits written apart that some document has. */
  readonly apart: readonly (readonly string[])[]
  /** What the word and a neighbour may have been meant as, best first: one word, or two. */
  readonly respelt: readonly string[]
  /** Joined spellings in the catalog. */
  readonly joined: readonly string[]
  /**
   * Compounds that match the word, most frequent first: at most 128, although all of them match.
   */
  readonly compounds: readonly string[]
  /** Whether the infix alternative was used. */
  readonly infix: boolean
  /** Forms of the synonyms in the catalog. */
  readonly synonyms: readonly (readonly string[])[]
  /** The same for words of synonym sets that it begins or may misspell. */
  readonly explained: readonly (readonly string[])[]
}
