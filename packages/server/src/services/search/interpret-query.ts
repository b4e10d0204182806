import { INTERPRETED_READINGS_MAX, INTERPRETED_WORDS_MAX } from '@aisle/contract'
import type { Analyzer, Schema } from '@aisle/engine'
import { interpretedFields } from '../../domain/interpretation/interpreted-fields.ts'
import {
  readingsFilter,
  restOf,
  type Interpretation,
  type Reading,
} from '../../domain/interpretation/interpretation.ts'
import { keptTexts } from '../../domain/interpretation/kept-texts.ts'
import { phraseWordsOf } from '../../domain/interpretation/phrase-words.ts'
import { PricePhrases } from '../../domain/interpretation/price-phrases.ts'
import {
  Announcers,
  beginningsOf,
  queryWords,
  valueRuns,
} from '../../domain/interpretation/value-runs.ts'
import type { AnalysedQuery } from '../../domain/query/analysed-query.ts'
import { purposeMarks } from '../../domain/plan/accessory-marks.ts'
import { isLiteral, type QueryPart } from '../../domain/query/query-syntax.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { currentSettings } from '../store/store-settings.ts'
import { CatalogEvidence, OutOfTime } from './catalog-evidence.ts'
import type { RequestPace } from './request-pace.ts'

/** A part of a query that may be a condition. */
interface Candidate {
  readonly reading: Reading
  /** The words that the catalog is asked about. */
  readonly words: string
  /** Which documents with these words speak for the reading. */
  readonly evidence: 'value' | 'brand' | 'price' | 'none'
  /** What may be a name: a word, and in a row with the reading. */
  readonly names: readonly { readonly word: string; readonly rows: readonly string[] }[]
}

/**
 * Reads the filters of a query ("Definition" in docs/interpretation.md).
 *
 * @param except texts that stay words
 * @returns undefined if the time ran out
 */
export async function interpretQuery(
  view: SearchView,
  query: AnalysedQuery,
  except: readonly string[],
  pace: RequestPace,
): Promise<Interpretation | undefined> {
  const { startMs, timeoutMaxMs, timeoutDefaultMs = timeoutMaxMs } = pace
  const limitMs = timeoutDefaultMs * INTERPRETATION_TIME_SHARE
  const catalog = new CatalogEvidence(view, startMs + limitMs, pace)
  try {
    return await interpretIn(catalog, view, query, except)
  } catch (error) {
    if (error instanceof OutOfTime) return undefined
    throw error
  }
}

async function interpretIn(
  catalog: CatalogEvidence,
  view: SearchView,
  query: AnalysedQuery,
  except: readonly string[],
): Promise<Interpretation> {
  const { analyzer } = view
  const q = query.text
  const nothing: Interpretation = { readings: [], rest: q }
  if (view.schema === undefined) return nothing
  const isSmall = (word: string): boolean => analyzer.isStopword(analyzer.fold(word))
  const candidates = await candidatesOf(catalog, view, view.schema, query, except)
  const textOf = (kept: readonly Candidate[]): string =>
    restOf(
      q,
      kept.map(({ reading }) => reading),
      isSmall,
    )
  let kept = await meantOnly(catalog, candidates, textOf)
  let bounds = await lowPrices(catalog, kept, textOf(kept))
  if (bounds === undefined) {
    const others = kept.filter(({ reading }) => reading.kind !== 'cheap')
    kept = await meantOnly(catalog, others, textOf)
    bounds = []
  }
  const all = [...withoutCheap(kept), ...bounds].toSorted((a, b) => a.start - b.start)
  const rest = textOf(kept)
  // A shop without red tents for 50 may have other tents for 50.
  const prices = withoutCheap(kept).filter(({ kind }) => kind === 'price')
  const tries = [
    { readings: all, rest },
    { readings: prices, rest: textOf(kept.filter(({ reading }) => reading.kind === 'price')) },
  ]
  for (const one of tries) {
    if (one.readings.length === 0) continue
    if (await catalog.holdsAny(one.rest, readingsFilter(one.readings))) return one
  }
  return nothing
}

/** Leaves out candidates that are none, until all others hold with the rest of the query. */
async function meantOnly(
  catalog: CatalogEvidence,
  candidates: readonly Candidate[],
  textOf: (kept: readonly Candidate[]) => string,
): Promise<readonly Candidate[]> {
  let kept = candidates
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const text = textOf(kept)
    const held: Candidate[] = []
    for (const candidate of kept) if (await isMeant(catalog, candidate, text)) held.push(candidate)
    if (held.length === kept.length) return kept
    kept = held
  }
  return []
}

/** The words for low prices as prices; undefined if what is found has no low ones. */
async function lowPrices(
  catalog: CatalogEvidence,
  kept: readonly Candidate[],
  rest: string,
): Promise<readonly Reading[] | undefined> {
  const filter = readingsFilter(withoutCheap(kept))
  const read: Reading[] = []
  for (const { reading } of kept) {
    if (reading.kind !== 'cheap') continue
    const bound = await catalog.lowPrice(reading.field, rest, filter)
    if (bound === undefined) return undefined
    read.push({ ...reading, values: [bound] })
  }
  return read
}

function withoutCheap(kept: readonly Candidate[]): Reading[] {
  return kept.flatMap(({ reading }) => (reading.kind === 'cheap' ? [] : [reading]))
}

/** Share of the time of a search in which its query is interpreted, or else not at all. */
const INTERPRETATION_TIME_SHARE = 0.5

/** How often readings are looked at again without those that were none. */
const ROUNDS_MAX = 4

async function isMeant(
  catalog: CatalogEvidence,
  { reading, words, evidence, names }: Candidate,
  rest: string,
): Promise<boolean> {
  if (evidence === 'none') return true
  for (const { word, rows } of names) if (await catalog.isName(word, rows)) return false
  if (evidence === 'price') return !(await catalog.areWords(words, rest))
  return catalog.areValue(words, rest, readingsFilter([reading]), evidence === 'brand')
}

async function candidatesOf(
  catalog: CatalogEvidence,
  view: SearchView,
  schema: Schema,
  query: AnalysedQuery,
  except: readonly string[],
): Promise<readonly Candidate[]> {
  const { analyzer } = view
  const q = query.text
  const fields = interpretedFields(schema, currentSettings(view.resources).settings)
  const { prices, announcers } = phrasesOf(schema, analyzer)
  const kept = keptTexts(query.tokens, except, analyzer)
  const isText = (part: QueryPart): boolean =>
    isLiteral(query.syntax, part) || kept.some((other) => overlaps(part, other))
  const candidates: Candidate[] = []
  if (fields.price !== undefined) {
    const measures = query.tokens.filter(({ measure }) => measure === true)
    const isOther = (part: QueryPart): boolean =>
      isText(part) || measures.some((measure) => overlaps(part, measure))
    for (const phrase of prices.read(q, isOther, (word) => analyzer.isStopword(word))) {
      const words = q.slice(phrase.start, phrase.end)
      const reading = { ...phrase, field: fields.price.name, text: words }
      candidates.push({ reading, words, evidence: 'price', names: [] })
    }
  }
  const taken = candidates.map(({ reading }) => reading)
  const words = queryWords(
    query.tokens,
    analyzer,
    (part) => isText(part) || taken.some((other) => overlaps(part, other)),
  )
  if (words.length <= INTERPRETED_WORDS_MAX) {
    const marks = purposeMarks(analyzer)
    const known = await catalog.valuesOf(fields.values, (role) => beginningsOf(words, role))
    const steps = valueRuns(words, query.tokens, known, announcers, analyzer)
    for (const run of await catalog.inTurns(steps)) {
      const { start, end, values, field, isAnnounced } = run
      const isBrand = field.role === 'brand'
      const before = words.findLast((word) => word.end <= start)?.form
      // A valve for Moen may be of any brand.
      if (isBrand && !isAnnounced && marks.includes(before ?? '')) continue
      const own = q.slice(run.words.start, run.words.end)
      candidates.push({
        reading: {
          kind: 'value',
          field: field.name,
          operator: '=',
          values,
          text: q.slice(start, end),
          start,
          end,
        },
        words: own,
        evidence: isAnnounced ? 'none' : isBrand ? 'brand' : 'value',
        names: run.neighbours.map(({ word, isBefore, row }) => {
          const text = q.slice(word.start, word.end)
          // Black and Decker is also Black+Decker.
          const short = isBefore ? `${text} ${own}` : `${own} ${text}`
          return { word: text, rows: [...new Set([short, q.slice(row.start, row.end)])] }
        }),
      })
    }
  }
  return candidates
    .toSorted((a, b) => a.reading.start - b.reading.start)
    .slice(0, INTERPRETED_READINGS_MAX)
}

function overlaps(a: QueryPart, b: QueryPart): boolean {
  return a.start < b.end && b.start < a.end
}

interface Phrases {
  readonly analyzer: Analyzer
  readonly prices: PricePhrases
  readonly announcers: Announcers
}

const phrasesBySchema = new WeakMap<Schema, Phrases>()

/** The phrases of the languages of a store and its fields. */
function phrasesOf(schema: Schema, analyzer: Analyzer): Phrases {
  const before = phrasesBySchema.get(schema)
  if (before?.analyzer === analyzer) return before
  const others = schema.fields.flatMap(({ language }) => (language === undefined ? [] : [language]))
  const words = phraseWordsOf([analyzer.language, ...others])
  const fold = (text: string) => analyzer.fold(text)
  const phrases = {
    analyzer,
    prices: new PricePhrases(words, fold),
    announcers: new Announcers(words, fold),
  }
  phrasesBySchema.set(schema, phrases)
  return phrases
}
