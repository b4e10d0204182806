/**
 * The ranking formula, as numbers. Every engine that executes plans (the embedded one and the naive
 * twin) calls these functions and adds up their results in the same order, so their scores agree
 * bit by bit. `docs/ranking.md` describes the whole ranking.
 *
 * BM25F after Robertson, Zaragoza, Taylor, "Simple BM25 Extension to Multiple Weighted Fields"
 * (2004): a field's weight multiplies the evidence before saturation, so a word in a field of
 * weight 3 counts as three words in a field of weight 1.
 */

/** Saturation: how quickly further occurrences stop mattering. */
export const K1 = 0.8
/** Length normalisation b of the title field, and of all other fields. */
export const LENGTH_NORM_TITLE = 0.5
export const LENGTH_NORM_OTHER = 0.75
/** Exponent that dampens idf. */
const IDF_EXPONENT = 0.75

/** Qualities q: how well an alternative matches the typed word. */
export const WEIGHT_EXACT = 1
export const WEIGHT_STEM = 0.9
/** The same stem, but more than singular and plural: paint and painting, light and lighting. */
export const WEIGHT_STEM_WEAK = 0.5
export const WEIGHT_JOINED = 0.9
export const WEIGHT_SPLIT = 0.9
/**
 * The word is the last part of a compound, which names a kind of it (Lederschuhe are Schuhe), or
 * its first part: the compound is only related to it.
 */
export const WEIGHT_COMPOUND_HEAD = 0.8
export const WEIGHT_COMPOUND_MODIFIER = 0.5
/** The word is the last part, and the rest is not a word of the catalog. */
export const WEIGHT_COMPOUND_ALONE = 0.65
/** Minimum code points of a word that only compounds have, none of them with two known parts. */
export const COMPOUND_ABSENT_LENGTH_MIN = 4
/** Maximum number of compounds in the outcome; all match. */
export const COMPOUNDS_NAMED_MAX = 128
/**
 * A synonym set by the merchant. Slightly below inflections, so that the typed word comes first,
 * and well above what the search guesses (prefixes, corrections).
 */
export const WEIGHT_SYNONYM = 0.85
/** A prefix match: for a word in no document, and for a word in some document. */
export const WEIGHT_PREFIX_UNKNOWN = 0.7
export const WEIGHT_PREFIX_KNOWN = 0.2
/**
 * The best correction; the others get this times e^(score - best). It must not be .5, because
 * `kindOfQuality` recognises compounds by that value.
 */
export const WEIGHT_CORRECTION = 0.52
/**
 * The best correction of an unfinished word. Lower, because both the spelling and the ending are
 * guessed.
 */
export const WEIGHT_CORRECTION_BEGUN = 0.4
/** A form that contains the word: below a prefix match (.2) and below any good correction. */
export const WEIGHT_INFIX = 0.1
/** Below this quality, an alternative matches but does not count as having the word. */
export const WEIGHT_COUNTED_MIN = 0.02
/**
 * The best neighbour of a known word that may be misspelt. Others get this times e^(score - best).
 * A document with only a neighbour does not count as having the word, so documents with the typed
 * word stay in front.
 */
export const WEIGHT_NEIGHBOUR = 0.15
/**
 * A word without its symbols (`c` of `c++`), where documents have the word itself or longer ones.
 * Like a neighbour: documents with the word as typed stay in front.
 */
export const WEIGHT_BARE = 0.15
/** The minimum for a word with neighbours: a prefix match still counts, a neighbour does not. */
const WEIGHT_COUNTED_MIN_BESIDE_NEIGHBOURS = WEIGHT_PREFIX_KNOWN

/** The lowest quality that counts: below it, a document does not count as having the word. */
export function countedMin(hasNeighbours: boolean): number {
  return hasNeighbours ? WEIGHT_COUNTED_MIN_BESIDE_NEIGHBOURS : WEIGHT_COUNTED_MIN
}
/**
 * Below this quality, an alternative is weak: its occurrences count only where no strong one
 * occurs. Otherwise a title with "desktop" and "desktops-in-a-row" would count as saying desktop
 * twice.
 */
export const WEIGHT_STRONG_MIN = 0.25

/** The kind of alternative with this quality, if only one kind has it. */
export function kindOfQuality(quality: number): 'compound' | 'prefix' | undefined {
  if (quality === WEIGHT_COMPOUND_HEAD || quality === WEIGHT_COMPOUND_MODIFIER) return 'compound'
  if (quality === WEIGHT_COMPOUND_ALONE) return 'compound'
  if (quality === WEIGHT_PREFIX_KNOWN || quality === WEIGHT_PREFIX_UNKNOWN) return 'prefix'
  return undefined
}

/** W of the kinds of query words. */
export const WORD_WEIGHT = 1
/** A number and its unit as one word (16gb). */
export const WORD_WEIGHT_MEASURE = 0.7
/** The number and the unit as separate words next to it: they rank but make no match. */
export const WORD_WEIGHT_MEASURE_NUMBER = 0.7
export const WORD_WEIGHT_UNIT = 0.5
export const WORD_WEIGHT_STOPWORD = 0.5

/**
 * The maximum weight of a unit, given the weight of its number: a document that repeats "mm" must
 * not outrank one with "3.5 mm". In some catalogs units are rarer than numbers and would weigh
 * more.
 */
export function unitWeightMax(numberWeight: number): number {
  return 0.8 * numberWeight
}

/**
 * Evidence of a document that matches only by a prefix of one or two code points. Such a prefix has
 * too many words to weigh each.
 */
export const SHORT_PREFIX_EVIDENCE = 0.5
/** Prefixes up to this many code points match without being weighed. */
export const SHORT_PREFIX_LENGTH_MAX = 2

/**
 * Evidence of a document that matches only inside words. Like short prefixes, these are not
 * weighed.
 */
export const INFIX_EVIDENCE = 0.5
/** Minimum length of a word that is searched for inside others, in code points. */
export const INFIX_LENGTH_MIN = 3

/** Share of the pair bonus, and how many of the best documents are checked for it. */
const PAIR_BONUS = 0.25
export const PAIR_CANDIDATES_MAX = 200

/**
 * In stores with at least this many documents, a word that more than half of them have makes no
 * match alone.
 */
export const FREQUENT_DOCS_MIN = 1000

/**
 * With `requireAllTerms: 'auto'`, a search requires all significant words if at least this many
 * documents have them.
 */
export const ALL_TERMS_DOCS_MIN = 10

/** Length levels: a field length in tokens is rounded down to one of these (5 bits). */
const LENGTH_LEVELS = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 21, 24, 28, 32, 38, 45, 54, 64, 80, 100,
  128, 176, 256, 400, 700, 1400,
] as const
/** Term frequency levels, rounded down (3 bits). */
const TERM_FREQ_LEVELS = [1, 2, 3, 4, 6, 8, 12, 18] as const

/**
 * The impact of a field on a word, in one byte: `level(termFreq) << 5 | level(length)`, plus one so
 * that 0 can mean "not in this field".
 *
 * The last pair of levels plus one would overflow the byte, so the levels are capped at 254.
 *
 * @param termFreq occurrences of the word's stem group in the field, >= 1
 * @param fieldLength tokens in the field (joined ones not counted), >= 1
 */
export function encodeImpact(termFreq: number, fieldLength: number): number {
  return impactOf(termFreq, lengthStep(fieldLength))
}

/** `encodeImpact` for a given length step. */
export function impactOf(termFreq: number, step: number): number {
  let t = TERM_FREQ_LEVELS.length - 1
  while (t > 0 && TERM_FREQ_LEVELS[t]! > termFreq) t--
  return Math.min((t << 5) | step, 254) + 1
}

/** Index of the length level that a field length is rounded down to. */
export function lengthStep(fieldLength: number): number {
  let step = LENGTH_LEVELS.length - 1
  while (step > 0 && LENGTH_LEVELS[step]! > fieldLength) step--
  return step
}

/** The rounded term frequency of an impact byte (1..255). */
export function impactTermFreq(impact: number): number {
  return TERM_FREQ_LEVELS[(impact - 1) >> 5]!
}

/** The rounded field length of an impact byte (1..255), in tokens. */
export function impactLength(impact: number): number {
  return LENGTH_LEVELS[(impact - 1) & 31]!
}

/** A field length, rounded as `impactLength` returns it. */
export function lengthLevel(fieldLength: number): number {
  return impactLength(encodeImpact(1, fieldLength))
}

/**
 * T: evidence of a stem group in one document, summed over the searched fields.
 *
 * @param impacts impact byte by field ordinal (0 = not in the field), read from `offset`
 * @param norms b by field ordinal; @param averageLengths by field ordinal, see `averageLength`
 * @param onceField ordinal of the field in which a word counts once ("Accessories"); -1: none
 * @returns a float32 value, 0 when no searched field has the word
 */
export function evidence(
  impacts: ArrayLike<number>,
  offset: number,
  weights: readonly number[],
  norms: readonly number[],
  averageLengths: readonly number[],
  onceField = -1,
): number {
  let sum = 0
  for (let field = 0; field < weights.length; field++) {
    const impact = countedImpact(impacts[offset + field]!, field === onceField)
    const weight = weights[field]!
    if (impact === 0 || weight === 0) continue
    sum += fieldEvidence(impact, weight, norms[field]!, averageLengths[field]!)
  }
  return Math.fround(sum)
}

/** An impact byte, or the one of a single occurrence in a field of the same length. */
export function countedImpact(impact: number, isOnce: boolean): number {
  return isOnce && impact !== 0 ? ((impact - 1) & 31) + 1 : impact
}

/** Evidence from one field. @param impact not 0; @param b length norm of the field */
export function fieldEvidence(
  impact: number,
  weight: number,
  b: number,
  averageLength: number,
): number {
  return (weight * impactTermFreq(impact)) / (1 - b + (b * impactLength(impact)) / averageLength)
}

/**
 * Average length of a field, rounded to steps of about 1 %, so that tables computed from it stay
 * valid while documents are added and removed.
 *
 * @param totalLength tokens in the field over all live documents
 * @param docCount live documents with at least one token in the field
 */
export function averageLength(totalLength: number, docCount: number): number {
  if (docCount === 0) return 1
  return 2 ** (Math.round(Math.log2(totalLength / docCount) * 64) / 64)
}

/** Upper limit of saturated evidence. */
export const SATURATED_MAX = K1 + 1

/** Saturation of evidence: `(k1 + 1) T / (T + k1)`, a float32 value in 0 .. k1 + 1. */
export function saturate(evidenceSum: number): number {
  return Math.fround(((K1 + 1) * evidenceSum) / (evidenceSum + K1))
}

/**
 * `ln(1 + (N - n + 0.5) / (n + 0.5))`, Lucene's variant of Robertson and Spärck Jones' weight:
 * positive for n <= N.
 *
 * @param docFreq n, live documents with the word's stem group in any searchable field, 0 <= n <=
 * docCount
 * @param docCount N, live documents
 */
function idf(docFreq: number, docCount: number): number {
  return Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5))
}

/** The maximum contribution of a word before quality and saturation: `W * idf^0.75`. */
export function slotWeight(wordWeight: number, docFreq: number, docCount: number): number {
  return wordWeight * idf(docFreq, docCount) ** IDF_EXPONENT
}

/**
 * Points per unit of score: contributions are rounded to integers, so that sums are exact in any
 * order.
 */
export const POINTS_PER_UNIT = 4096

/**
 * Contribution of a slot to the score of a document, in points (an integer).
 *
 * @param slotWeight see `slotWeight`
 * @param quality q of the best alternative in the document, 0..1
 * @param saturated see `saturate`
 */
export function slotPoints(slotWeight: number, quality: number, saturated: number): number {
  return pointsOfFactor(slotFactor(slotWeight, quality), saturated)
}

/** The part of `slotPoints` that all documents with an alternative share. */
export function slotFactor(slotWeight: number, quality: number): number {
  return slotWeight * quality * POINTS_PER_UNIT
}

/** The same points, for loops over postings. @param factor see `slotFactor` */
export function pointsOfFactor(factor: number, saturated: number): number {
  return (factor * saturated + 0.5) | 0
}

/** Bonus of two neighbouring words that are side by side in the title, in points (an integer). */
export function pairPoints(slotWeightLeft: number, slotWeightRight: number): number {
  const bonus = PAIR_BONUS * (K1 + 1) * ((slotWeightLeft + slotWeightRight) / 2)
  return Math.floor(bonus * POINTS_PER_UNIT + 0.5)
}

/**
 * Share of a full match for a word before the part of a title that says what the product is for.
 */
const LEADING_BONUS = 0.17

/** Bonus of a leading word in the title, in points (an integer): "Accessories". */
export function leadingPoints(slotWeight: number): number {
  return Math.floor(LEADING_BONUS * SATURATED_MAX * slotWeight * POINTS_PER_UNIT + 0.5)
}

/** Factor on the points of a document whose title says that it is for what is sought: "Purpose". */
export const PURPOSE_FACTOR = 0.75

/**
 * What such a document loses, in points (an integer); 0 in the lower tier.
 * @param score before bonuses, see `textMatchScore`
 */
export function purposeLoss(score: number): number {
  if (score < TIER_STEP) return 0
  const points = score % TIER_STEP
  return points - boostedPoints(points, PURPOSE_FACTOR)
}

/**
 * The integer that ranks documents and that the API shows. Documents with all significant words
 * come first, then points decide. Points are below 2^22 (31 words of at most 13.4 units), so the
 * result is below 2^41.
 */
export function textMatchScore(hasAllSignificant: boolean, points: number): number {
  return (hasAllSignificant ? TIER_STEP : 0) + points
}

/**
 * The bucket of a score ("Sorting, facets"): its tier and exact value, and which of `buckets` equal
 * parts of a full match its points reach.
 *
 * @param score see `textMatchScore`, an integer
 * @param fullPoints points of a document that matches every word of the query as well as possible;
 * 0 without words
 */
export function bucketOf(score: number, buckets: number, fullPoints: number): number {
  const points = score % TIER_STEP
  const part = fullPoints === 0 ? points : Math.floor((points * buckets) / fullPoints)
  return score - points + part
}

/** Points of a full match. @param weights of the known words, see `slotWeight` */
export function fullMatchPoints(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + slotPoints(weight, 1, SATURATED_MAX), 0)
}

/** Distance between the tiers of `textMatchScore`. */
export const TIER_STEP = 2 ** 40
/** Added if one of the document's values equals the query: exceeds everything else together. */
export const EXACT_VALUE_STEP = 2 * TIER_STEP

/**
 * A value can equal the query only in fields with at least this share of the highest weight. By
 * default titles, brands and texts qualify; lists and attributes do not: a thousand documents may
 * have "Windows 10" among their attributes without being what the visitor wants.
 */
const EXACT_VALUE_WEIGHT_RATIO = 1 / 5

/**
 * By field ordinal: whether a value of the field may be the exact value, unless the request sets
 * it.
 */
export function heavyFields(fieldWeights: readonly number[]): boolean[] {
  const heaviest = Math.max(0, ...fieldWeights)
  return fieldWeights.map((weight) => weight > 0 && weight >= heaviest * EXACT_VALUE_WEIGHT_RATIO)
}

/**
 * Minimum points of a relevant document ("Relevance").
 * @param best the most points of any document
 */
export function relevantPoints(minRelevance: number | undefined, best: number): number {
  return (minRelevance ?? 0) * best
}

/** Points of a document if the query has no words but there are boosts. */
export const NEUTRAL_POINTS = 2 ** 20
/** Maximum factor of all boosts of a document together; the minimum is its inverse. */
const BOOST_FACTOR_MAX = 1_000

/**
 * The factor of all boosts of a document.
 * @param product of their factors, multiplied in the order of the plan
 */
export function boostFactor(product: number): number {
  return Math.min(BOOST_FACTOR_MAX, Math.max(1 / BOOST_FACTOR_MAX, product))
}

/** Maximum level of popularity. */
const POPULARITY_LEVEL_MAX = 2047
/** Levels per doubling: adjacent levels differ by 1 %. */
const POPULARITY_LEVELS_PER_DOUBLING = 64
/**
 * Share of a document's overall popularity; the rest is its appeal. Overall popularity says little
 * about a particular query, but helps with queries that few visitors have searched for.
 */
export const POPULARITY_DOCUMENT_SHARE = 0.25

/**
 * The level of a document's popularity.
 * @param worth weighted clicks and conversions of a document; >= 0
 */
export function popularityLevel(worth: number): number {
  const level = Math.round(POPULARITY_LEVELS_PER_DOUBLING * Math.log2(1 + worth))
  return Math.min(POPULARITY_LEVEL_MAX, level)
}

/**
 * The factor of popularity on the points of a document: 1 .. 1 + weight.
 *
 * @param weight 0..1
 * @param level of the document, 0 .. levelMax; 0 has no factor
 * @param appeal of the document to visitors with the same query, 0..1
 */
export function popularityFactor(
  weight: number,
  level: number,
  levelMax: number,
  appeal: number,
): number {
  if (level === 0) return 1
  const popularity = level / levelMax
  const signal = POPULARITY_DOCUMENT_SHARE * popularity + (1 - POPULARITY_DOCUMENT_SHARE) * appeal
  return 1 + weight * signal
}

/** Points (below 2^22) with the boosts of the document: an integer below a tier. */
export function boostedPoints(points: number, factor: number): number {
  return Math.floor(points * factor + 0.5)
}
