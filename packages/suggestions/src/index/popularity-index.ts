import { POPULARITY_NETWORKS_MIN as NETWORKS_MIN } from '@aisle/contract'
import {
  popularityLevel,
  SectionReader,
  SectionWriter,
  type DocumentPopularity,
  type LearnedDocument,
} from '@aisle/engine'
import { CELL, CELL_LENGTH } from '../history/day-cells.ts'
import type { QueryTable } from '../history/query-table.ts'
import { hashText } from '../text/hash.ts'
import type { AppealTable } from '../popularity/appeal-table.ts'
import { learnedFrom, placedClicks, positionShares } from '../popularity/learned-lift.ts'
import { fading, worthOn, type Worth } from '../popularity/worth.ts'
import { placeIn } from './place-in.ts'

const POPULARITY_MAGIC = 0x504f5041
/**
 * Assumed sessions that searched and clicked nothing, added to the real ones: a few clicks on a
 * rare query prove nothing.
 */
const SESSIONS_PRIOR = 20
/** Minimum of the highest level, for shops with few clicks. */
const WORTH_MAX_MIN = 100

export interface PopularityInput {
  readonly appeal: Pick<AppealTable, 'documents' | 'queries' | 'places'>
  readonly table: Pick<QueryTable, 'queries'>
  /** Returns the docKey of the live version of a document. */
  readonly docKeyOf: (id: string) => number | undefined
  /** Number of the day of the index. */
  readonly today: number
}

/** Builds the popularity of a store's documents as of today, in shared memory; immutable. */
export function buildPopularityIndex(input: PopularityInput): SharedArrayBuffer {
  const { appeal, docKeyOf, today } = input
  const keys = new Map<string, number>()
  const documents: { docKey: number; level: number }[] = []
  for (const { id, level } of popularDocuments(appeal, today)) {
    const docKey = docKeyOf(id)
    if (docKey === undefined) continue
    keys.set(id, docKey)
    documents.push({ docKey, level })
  }
  documents.sort((a, b) => a.docKey - b.docKey)
  const levelMax = documents.reduce(
    (most, { level }) => Math.max(most, level),
    popularityLevel(WORTH_MAX_MIN),
  )
  const queries = appealsOf(input, keys)
  const pairs = queries.flatMap(({ pairs: own }) => own)
  const ends = new Uint32Array(queries.length + 1)
  queries.forEach(({ pairs: own }, i) => (ends[i + 1] = ends[i]! + own.length))

  const writer = new SectionWriter()
  const add = <T>(name: string, list: readonly T[], read: (one: T) => number): void => {
    writer.add(name, Float64Array.from(list, read))
  }
  add('docKey', documents, ({ docKey }) => docKey)
  writer.add(
    'level',
    Uint16Array.from(documents, ({ level }) => level),
  )
  add('queryHash', queries, ({ hash }) => hash)
  writer.add('ends', ends)
  add('pairDocKey', pairs, ({ docKey }) => docKey)
  add('pairAppeal', pairs, (pair) => pair.appeal)
  add('pairLift', pairs, ({ learned }) => learned.lift)
  add('pairClicks', pairs, ({ learned }) => learned.clicks)
  add('pairExpected', pairs, ({ learned }) => learned.expected)
  return writer.finish(POPULARITY_MAGIC, { levelMax })
}

/** The documents that interest visitors from several networks as of today. */
export function popularIds(appeal: Pick<AppealTable, 'documents'>, today: number): string[] {
  return Array.from(popularDocuments(appeal, today), ({ id }) => id)
}

function* popularDocuments(
  { documents }: Pick<AppealTable, 'documents'>,
  today: number,
): Generator<{ readonly id: string; readonly level: number }> {
  for (const [id, worth] of documents) {
    if (!isFromMany(worth)) continue
    const level = popularityLevel(worthOn(worth, today))
    if (level > 0) yield { id, level }
  }
}

interface QueryAppeal {
  readonly hash: number
  readonly pairs: {
    readonly docKey: number
    readonly appeal: number
    readonly learned: LearnedDocument
  }[]
}

/** @param keys of the documents with a level: others cannot have appeal */
function appealsOf(
  { appeal, table, today }: PopularityInput,
  keys: ReadonlyMap<string, number>,
): QueryAppeal[] {
  const queries: QueryAppeal[] = []
  const shares = positionShares(appeal.places.clicks)
  for (const [key, documents] of appeal.queries) {
    const searches = sessionsOf(table.queries.get(key)?.cells ?? [], today) + SESSIONS_PRIOR
    const pairs: QueryAppeal['pairs'] = []
    let clicks = 0
    for (const choice of documents.values()) clicks += placedClicks(choice, today)
    for (const [id, worth] of documents) {
      const docKey = keys.get(id)
      if (docKey === undefined || !isFromMany(worth)) continue
      pairs.push({
        docKey,
        appeal: Math.min(1, worthOn(worth, today) / searches),
        learned: learnedFrom(worth, clicks, shares, today) ?? NOTHING_LEARNED,
      })
    }
    if (pairs.length > 0) queries.push({ hash: hashText(key), pairs })
  }
  return queries.sort((a, b) => a.hash - b.hash)
}

const NOTHING_LEARNED: LearnedDocument = { lift: 0, clicks: 0, expected: 0 }

function isFromMany({ networks }: Worth): boolean {
  return networks.length >= NETWORKS_MIN
}

/** Sessions that searched for it, decayed like their clicks. */
function sessionsOf(cells: readonly number[], today: number): number {
  let sum = 0
  for (let at = 0; at < cells.length; at += CELL_LENGTH) {
    if (cells[at + CELL.tagSet] !== 0) continue
    sum += cells[at + CELL.sessions]! * fading(today - cells[at + CELL.day]!)
  }
  return sum
}

/** The popularity of a store's documents, read in place. */
export class PopularityIndex {
  readonly documents: DocumentPopularity
  readonly #queryHash: Float64Array
  readonly #ends: Uint32Array
  readonly #docKey: Float64Array
  readonly #appeal: Float64Array
  readonly #lift: Float64Array
  readonly #clicks: Float64Array
  readonly #expected: Float64Array

  constructor(buffer: SharedArrayBuffer) {
    const reader = new SectionReader(buffer, POPULARITY_MAGIC)
    const { levelMax } = reader.properties as { levelMax: number }
    this.documents = { docKeys: reader.f64('docKey'), levels: reader.u16('level'), levelMax }
    this.#queryHash = reader.f64('queryHash')
    this.#ends = reader.u32('ends')
    this.#docKey = reader.f64('pairDocKey')
    this.#appeal = reader.f64('pairAppeal')
    this.#lift = reader.f64('pairLift')
    this.#clicks = reader.f64('pairClicks')
    this.#expected = reader.f64('pairExpected')
  }

  /**
   * Worth of the documents that visitors found with a query, by docKey.
   * @param key of `readQuery`
   */
  appealOf(key: string): ReadonlyMap<number, number> {
    const appeal = new Map<number, number>()
    for (const at of this.#pairsOf(key)) appeal.set(this.#docKey[at]!, this.#appeal[at]!)
    return appeal
  }

  /** The same for what was learned about them, if the clicks came from enough networks. */
  learnedOf(key: string): ReadonlyMap<number, LearnedDocument> {
    const learned = new Map<number, LearnedDocument>()
    for (const at of this.#pairsOf(key)) {
      const expected = this.#expected[at]!
      if (expected === 0) continue
      const document = { lift: this.#lift[at]!, clicks: this.#clicks[at]!, expected }
      learned.set(this.#docKey[at]!, document)
    }
    return learned
  }

  *#pairsOf(key: string): Generator<number> {
    const query = placeIn(this.#queryHash, hashText(key))
    if (query < 0) return
    for (let at = this.#ends[query]!; at < this.#ends[query + 1]!; at++) yield at
  }
}
