import type { ScoreExplanation } from './explanation.ts'
import type { DistanceOrder } from '../places/distance.ts'
import type { FilterNode } from './filter.ts'
import type { Scalar } from '../schema/schema.ts'
import type { PlannedPopularity } from './popularity.ts'
import type { RankingPart } from './ranking-parts.ts'

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
  /**
   * Forms behind which a title says what a thing is for ("for", "with"): words of the query in
   * front of them earn a bonus ("Accessories" in docs/ranking.md). Never empty; absent: none do.
   */
  readonly accessoryMarks?: readonly string[]
  /**
   * Which slots a match must have, in any field: `true`, every one; `false`, one that carries;
   * `auto`, every significant one while enough documents do ("Which words must match" in
   * docs/ranking.md).
   */
  readonly requireAllTerms: boolean | 'auto'
  /**
   * What the searcher is allowed to see, which `filter` demands too: only these documents decide
   * what `auto` means. Absent: all of the index.
   */
  readonly scope?: FilterNode
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
  /**
   * By field ordinal: whether a value of the field may be the query. Only fields with a weight
   * count.
   */
  readonly exactValueFields: readonly boolean[]
  /** Documents with a fixed rank. No id and no position occurs twice. */
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
  /** Documents with the same values are shown together. Absent: each for itself. */
  readonly groups?: PlannedGroups
  /**
   * Hits to return: ranks `from` .. `from + size - 1`, from 0. With `groups`, ranks are those of
   * groups.
   */
  readonly from: number
  readonly size: number
  /** Parts of the ranking to leave out. Absent: none. */
  readonly without?: readonly RankingPart[]
  /** Every hit comes with the tree of its score. */
  readonly explain: boolean
  /**
   * `performance.now()` after which the search returns what it has, with `cutoff`. Absent: never.
   */
  readonly deadlineMs?: number
}

/** "Groups" in docs/ranking.md. */
export interface PlannedGroups {
  /** Ordinals of fields with single values: documents that agree in all of them are a group. */
  readonly fields: readonly number[]
  /** Hits of a group to return at most, from 1. */
  readonly limit: number
  /**
   * Documents that lack a value of a group field: `together` they are grouped like by a value,
   * `apart` each is a group of its own.
   */
  readonly missing: 'together' | 'apart'
  /** What the counts of facet values count. */
  readonly facetCount: 'documents' | 'groups'
}

/** One word of the query and its alternatives. */
export interface QuerySlot {
  /** Folded text as typed. */
  readonly form: string
  /** `Analyzer.stem(form)`: all forms with this stem match, the typed one best. */
  readonly stem: string
  /** W: how much the word counts: 1 for most words, 0.7 for a size, 0.5 for a stopword. */
  readonly weight: number
  /** For a unit: the stem of the number before it. */
  readonly unitOf?: string
  /**
   * A stopword does not make a match by itself and need not match. Nor does a part of a size (the
   * 16 of 16gb).
   */
  readonly stopword: boolean
  /** Joined spellings over this and neighbouring slots ("bed spread" -> bedspread). */
  readonly joined: readonly JoinedSpelling[]
  /**
   * Two neighbouring words that may stand for it ("bedspread" -> bed, spread), for every split of
   * the form.
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
   * `off`; `always`: forms that start with `form` match too; `fallback`: they match only if nothing
   * else matches the slot.
   */
  readonly prefix: 'off' | 'always' | 'fallback'
  /**
   * `off`; `always`: forms that contain one of `infixTexts` match too; `fallback`: they match only
   * if nothing else matches the slot.
   */
  readonly infix: 'off' | 'always' | 'fallback'
  /** Synonyms: single words, or several that must stand side by side. */
  readonly synonyms: readonly Synonym[]
  /** Words of synonym sets that it may be a misspelling of; none if it has synonyms itself. */
  readonly explained: readonly ExplainedWord[]
  /** Edits allowed: 0, 1 or 2 (Damerau-Levenshtein, optimal string alignment, over code points). */
  readonly edits: 0 | 1 | 2
}

/** A spelling over a word and its neighbours, or a second spelling of the word. */
export interface JoinedSpelling extends PlannedWord {
  /** The word without its symbols: poor, where documents have the word itself (c++: c). */
  readonly bare?: true
}

/**
 * Two neighbouring words of letters as one word, which may have been meant, or may be split
 * elsewhere.
 */
export interface Respelling extends PlannedWord {
  /** Stems of the two. */
  readonly words: readonly [string, string]
  /** The splits from which the space may have slipped. */
  readonly splits: QuerySlot['splits']
  /** Edits allowed to the one word. */
  readonly edits: 0 | 1
}

/** Words that stand side by side, in order, in one searched field; a phrase may have one word. */
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
 * A document that is found, whatever its words, if it meets filter, phrases and exclusions. It has
 * its position whatever the order of the others.
 */
export interface PlannedPin {
  readonly id: string
  /** From 1. */
  readonly position: number
  /** The query is the id, and no rule pins it. */
  readonly byId?: true
}

export interface PlannedBoost {
  readonly filter: FilterNode
  /** Factor on the points of a document that matches the filter; positive. */
  readonly factor: number
}

/** A word of a synonym set; the catalog may lack it. */
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
  /** 1 for documents that meet the filter, 0 for others. */
  | { readonly kind: 'filter'; readonly filter: FilterNode; readonly descending: boolean }
  /** Distance of the nearest place of a geopoint field, in metres. */
  | (DistanceOrder & {
      readonly kind: 'distance'
      readonly field: number
      readonly descending: boolean
      readonly missing: 'first' | 'last'
    })
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
  /** Intervals of a calendar instead of values, of dates. Those without documents are left out. */
  readonly intervals?: FacetIntervals
  /**
   * Only values with these words in any order (the last one may be incomplete), or the nearest
   * ones. Not empty.
   */
  readonly query?: readonly FacetWord[]
  /** Whether to compute min, max, sum and average (numeric fields only). */
  readonly stats: boolean
}

/** How time is divided. Pure: the same value always has the same interval. */
export interface FacetIntervals {
  /** The interval that a value lies in. */
  intervalOf(value: number): FacetInterval
  /** If the last interval begins further than this behind the first, none is counted. */
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

/** The result of a backend. The present stage adds text and shape. */
export interface SearchOutcome {
  /** Exact number of matching documents, unless `cutoff`. */
  readonly found: number
  /** With `plan.groups`: the hits of the first group of the page, then those of the next. */
  readonly hits: readonly RankedHit[]
  /** Present if the plan asks for groups. */
  readonly groups?: GroupsOutcome
  /** In the order of `plan.facets`. */
  readonly facets: readonly FacetOutcome[]
  /** Time ran out: `found`, hits and facets cover only a part of the index. */
  readonly cutoff: boolean
  /** Whether every match has all significant slots: with one of them at most, it always has. */
  readonly matchedTerms: 'all' | 'any'
  /** By slot: what stood for the word, so that the present stage can mark it. */
  readonly expansions: readonly SlotExpansion[]
}

export interface GroupsOutcome {
  /** Exact number of groups of all matching documents, unless `cutoff`. */
  readonly found: number
  /** The groups of the page, in order. */
  readonly page: readonly GroupOutcome[]
}

export interface GroupOutcome {
  /** In the order of the group fields; null: its documents lack a value. */
  readonly key: readonly (Scalar | null)[]
  /** Matching documents in the group. */
  readonly found: number
  /** How many of `SearchOutcome.hits` are of this group. */
  readonly hitCount: number
}

export interface RankedHit {
  readonly docKey: number
  /** Integer below 2^53: tier first, then score. 0 when the plan has no slots. */
  readonly textMatchScore: number
  /** The hit is pinned by the plan; its score is 0. */
  readonly pinned?: true
  /** Its pin has the query for its id. */
  readonly byId?: true
  /** Present if the plan asks for it; pinned documents have none. */
  readonly explanation?: ScoreExplanation
}

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
  /** Its intervals span too much: see `FacetIntervals.spanMax`. */
  readonly isTooWide?: true
  /** Number of all distinct values, not only of those returned. */
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
  /** Corrections, best first: at most 8, although up to 16 may have matched. */
  readonly corrections: readonly string[]
  /**
   * Where nothing stands for the word: what it is within reach of, and was rather not meant, best
   * first.
   */
  readonly unlikely: readonly string[]
  /** The prefix alternative was in use. */
  readonly prefix: boolean
  /** Pairs that stood for the word. */
  readonly splits: readonly { readonly left: string; readonly right: string }[]
  /** Letters and digits written apart, as in some document. */
  readonly apart: readonly (readonly string[])[]
  /** What the word and a neighbour may have been meant as, best first: one word, or two. */
  readonly respelt: readonly string[]
  /** Joined spellings that exist. */
  readonly joined: readonly string[]
  /**
   * Compounds that stood for the word, the commonest first: at most 128, although all of them
   * matched.
   */
  readonly compounds: readonly string[]
  /** The infix alternative was in use. */
  readonly infix: boolean
  /** Forms of the synonyms that some document holds. */
  readonly synonyms: readonly (readonly string[])[]
  /** The same for the words of synonym sets that it may be a misspelling of. */
  readonly explained: readonly (readonly string[])[]
}
