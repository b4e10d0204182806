import type { SeenDocument } from '../history/seen-documents.ts'

/**
 * What a visitor prefers, from what they lately looked at, bought and searched for:
 * docs/personal-results.md. `naive/naive-taste.ts` defines the same in plain code.
 */

/** Evidence of a step. */
const STEP_EVIDENCE: Readonly<Record<SeenDocument['step'], number>> = { look: 1, cart: 2, order: 3 }
/** Evidence of a search for a value that a seen document has. */
const SEARCH_EVIDENCE = 0.5
/** Half-life of evidence, in whole days. */
const HALF_LIFE_DAYS = 30
/** Documents of a visitor without which there is no taste. */
export const TASTE_DOCUMENTS_MIN = 3
/** Minimum number of documents with a value that the visitor prefers. */
const VALUE_DOCUMENTS_MIN = 2
/** The same for a price band of a category: a range fits two prices too easily. */
const BAND_DOCUMENTS_MIN = 3
/** Standard errors by which a share must exceed that of the catalog. */
const TASTE_CONFIDENCE = 2
/** Looks, spread like the catalog, that are added to those of all visitors. */
const CATALOG_LOOKS = 20
/** A band reaches from the typical price divided by this to the price times this. */
const BAND_RATIO = 1.5
/** Ends of bands per tenfold price: few, so that visitors share filters. */
const BAND_STEPS = 10
/** Values of a document that count per field: more are labels, not properties. */
const VALUES_PER_FIELD_MAX = 10

/** A document that the visitor looked at or chose, as it is now. */
export interface TasteDocument {
  readonly id: string
  readonly step: SeenDocument['step']
  /** Whole days since. */
  readonly ageDays: number
  /** In the order of the fields of the taste. */
  readonly values: readonly (readonly string[])[]
  readonly price: number | undefined
}

/** A query that the visitor searched for. */
export interface TasteSearch {
  readonly stems: ReadonlySet<string>
  readonly ageDays: number
}

export interface TasteInput {
  readonly documents: readonly TasteDocument[]
  readonly searches: readonly TasteSearch[]
  /** Place, in `values`, of the field whose values have price bands; undefined: one for all. */
  readonly bandField: number | undefined
  readonly stemsOf: (value: string) => readonly string[]
}

/** What the visitor may prefer. */
export interface Leaning {
  /** Place of the field; undefined for a price band of the whole catalog. */
  readonly field: number | undefined
  readonly value: string | undefined
  readonly band?: PriceBand
  /** The visitor's evidence for it, and for it or anything else. */
  readonly evidence: number
  readonly total: number
  /** The documents that it comes from. */
  readonly ids: readonly string[]
  readonly isSearched: boolean
}

/** Prices from `low` to `high`, both included. */
export interface PriceBand {
  readonly low: number
  readonly high: number
}

/**
 * The values and price bands with enough evidence to be compared with the catalog, the most
 * distinct first; their affinity for a share of 0 is above 0.
 */
export function leaningsOf(input: TasteInput): Leaning[] {
  const { documents } = input
  if (documents.length < TASTE_DOCUMENTS_MIN) return []
  const fieldCount = documents[0]!.values.length
  const leanings: Leaning[] = []
  for (let field = 0; field < fieldCount; field++) leanings.push(...valuesOf(input, field))
  leanings.push(...bandsOf(input))
  return leanings
    .map((leaning) => ({ leaning, affinity: affinityOf(leaning, 0) }))
    .filter(({ affinity }) => affinity > 0)
    .toSorted((a, b) => b.affinity - a.affinity)
    .map(({ leaning }) => leaning)
}

/** A document that many visitors saw. */
export interface CrowdDocument extends Pick<TasteDocument, 'id' | 'values' | 'price'> {
  readonly visitors: number
}

/** What others look at, and what they look at in the categories of the visitor. */
export interface Others {
  readonly all: readonly CrowdDocument[]
  readonly alike: readonly CrowdDocument[]
}

/**
 * What other visitors look at: a visitor who clicks what everyone clicks has no taste. `alike` has
 * the same mix of categories as the visitor: who looks at tents alone looks at brands of tents.
 *
 * @param identities how many ids the visitor has; each counts as a visitor
 */
export function othersOf(
  crowd: readonly CrowdDocument[],
  documents: readonly TasteDocument[],
  identities: number,
  categoryField: number | undefined,
): Others {
  const own = new Set(documents.map(({ id }) => id))
  const all = crowd.flatMap((one) => {
    const visitors = one.visitors - (own.has(one.id) ? identities : 0)
    return visitors > 0 ? [{ ...one, visitors }] : []
  })
  if (categoryField === undefined) return { all, alike: all }
  const categoryOf = ({ values }: Pick<TasteDocument, 'values'>): string =>
    values[categoryField]![0] ?? ''
  const ofVisitor = shareByKey(documents, categoryOf, evidenceOf)
  const ofOthers = shareByKey(all, categoryOf, ({ visitors }) => visitors)
  const alike = all.flatMap((one) => {
    const category = categoryOf(one)
    const visitors = (one.visitors * (ofVisitor.get(category) ?? 0)) / ofOthers.get(category)!
    return visitors > 0 ? [{ ...one, visitors }] : []
  })
  return { all, alike }
}

/** Shares of a sum by key. */
function shareByKey<T>(
  all: readonly T[],
  keyOf: (one: T) => string,
  amountOf: (one: T) => number,
): Map<string, number> {
  const sum = all.reduce((total, one) => total + amountOf(one), 0)
  const shares = new Map<string, number>()
  for (const one of all) {
    const key = keyOf(one)
    shares.set(key, (shares.get(key) ?? 0) + amountOf(one) / sum)
  }
  return shares
}

/**
 * The share of what other visitors look at that has it.
 *
 * @param catalogShare the share of the documents of the catalog, which counts where few look
 */
export function crowdShare(
  { field, value, band }: Pick<Leaning, 'field' | 'value' | 'band'>,
  others: Others,
  categoryField: number | undefined,
  catalogShare: number,
): number {
  // Prices are compared in their category anyway.
  const isWhole = band !== undefined || field === categoryField
  let having = CATALOG_LOOKS * catalogShare
  let all = CATALOG_LOOKS
  for (const { values, price, visitors } of isWhole ? others.all : others.alike) {
    const hasValue = field === undefined || value === undefined || values[field]!.includes(value)
    if (band === undefined) {
      all += visitors
      if (hasValue) having += visitors
    } else if (hasValue && price !== undefined) {
      all += visitors
      if (price >= band.low && price <= band.high) having += visitors
    }
  }
  return having / all
}

/**
 * By how much the visitor prefers it, 0..1: the lower end of the interval of the visitor's share,
 * less the share that is usual.
 *
 * @param share what is usual, 0..1: `crowdShare`
 */
export function affinityOf(
  { evidence, total }: Pick<Leaning, 'evidence' | 'total'>,
  share: number,
): number {
  if (total <= 0 || share >= 1) return 0
  const excess = lowerEnd(evidence / total, total) - share
  return excess <= 0 ? 0 : excess / (1 - share)
}

/** The lower end of Wilson's interval. */
function lowerEnd(share: number, total: number): number {
  const z2 = TASTE_CONFIDENCE ** 2
  const centre = share + z2 / (2 * total)
  const spread = Math.sqrt((share * (1 - share)) / total + z2 / (4 * total ** 2))
  return (centre - TASTE_CONFIDENCE * spread) / (1 + z2 / total)
}

function evidenceOf({ step, ageDays }: TasteDocument): number {
  return STEP_EVIDENCE[step] * faded(ageDays)
}

function faded(ageDays: number): number {
  return 0.5 ** (Math.max(0, ageDays) / HALF_LIFE_DAYS)
}

function valuesOf({ documents, searches, stemsOf }: TasteInput, field: number): Leaning[] {
  const byValue = new Map<string, TasteDocument[]>()
  let total = 0
  for (const document of documents) {
    const values = new Set(document.values[field]!.slice(0, VALUES_PER_FIELD_MAX))
    if (values.size > 0) total += evidenceOf(document)
    for (const value of values) {
      const others = byValue.get(value)
      if (others === undefined) byValue.set(value, [document])
      else others.push(document)
    }
  }
  return [...byValue].flatMap(([value, own]): Leaning[] => {
    if (own.length < VALUE_DOCUMENTS_MIN) return []
    const stems = searches.length === 0 ? [] : stemsOf(value)
    const searched = searches
      .filter((search) => stems.length > 0 && stems.every((stem) => search.stems.has(stem)))
      .reduce((sum, { ageDays }) => sum + SEARCH_EVIDENCE * faded(ageDays), 0)
    const evidence = own.reduce((sum, document) => sum + evidenceOf(document), 0)
    return [
      {
        field,
        value,
        evidence: evidence + searched,
        total: total + searched,
        ids: own.map(({ id }) => id),
        isSearched: searched > 0,
      },
    ]
  })
}

/** The band around the typical price of each category; in a catalog without, of all documents. */
function bandsOf({ documents, bandField: field }: TasteInput): Leaning[] {
  const priced = documents.filter(({ price }) => price !== undefined && price > 0)
  const groups = new Map<string | undefined, TasteDocument[]>()
  for (const document of priced) {
    const values =
      field === undefined ? [undefined] : document.values[field]!.slice(0, VALUES_PER_FIELD_MAX)
    for (const value of new Set(values)) {
      const others = groups.get(value)
      if (others === undefined) groups.set(value, [document])
      else others.push(document)
    }
  }
  return [...groups].flatMap(([value, own]): Leaning[] => {
    if (own.length < BAND_DOCUMENTS_MIN) return []
    const prices = own.map(({ price }) => price!).toSorted((a, b) => a - b)
    const typical = prices[(prices.length - 1) >> 1]!
    const band = { low: onGrid(typical / BAND_RATIO, -1), high: onGrid(typical * BAND_RATIO, 1) }
    const within = own.filter(({ price }) => price! >= band.low && price! <= band.high)
    if (within.length < BAND_DOCUMENTS_MIN) return []
    const sum = (some: readonly TasteDocument[]): number =>
      some.reduce((all, document) => all + evidenceOf(document), 0)
    const ids = within.map(({ id }) => id)
    const counts = { evidence: sum(within), total: sum(own), ids, isSearched: false }
    return [{ field: value === undefined ? undefined : field, value, band, ...counts }]
  })
}

/** @param side -1: the next end of bands at or below a price; 1: at or above */
function onGrid(price: number, side: -1 | 1): number {
  const step = BAND_STEPS * Math.log10(price)
  const whole = side < 0 ? Math.floor(step) : Math.ceil(step)
  return Number((10 ** (whole / BAND_STEPS)).toPrecision(3))
}

/** What is known about a visitor before any later moment: `personalize_as_of`. */
export function seenUntil<T extends { readonly atMs: number }>(
  all: readonly T[],
  asOfMs: number | undefined,
): readonly T[] {
  return asOfMs === undefined ? all : all.filter(({ atMs }) => atMs <= asOfMs)
}
