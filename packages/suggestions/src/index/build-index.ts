import { SectionWriter, type Analyzer } from '@aisle/engine'
import { CELL, CELL_LENGTH, popularityOf, type DayCells } from '../history/day-cells.ts'
import { VISITOR, VISITOR_LENGTH, type VisitorDays } from '../history/visitor-days.ts'
import type { DocumentTable } from '../history/document-table.ts'
import type { QueryRecord, QueryTable } from '../history/query-table.ts'
import { hashText } from '../text/hash.ts'
import { readQuery } from '../text/query-text.ts'
import type { CatalogName } from './catalog-name.ts'
import { meantQueries, type MeantQueries } from './meant-queries.ts'
import { prepareQuery, type PreparedQuery } from './prepared-query.ts'
import type { Spellings } from './spelling-book.ts'
import { addLists, addStrings } from './string-list.ts'
import { trendOf } from './trend.ts'
import { isWithin, WINDOWS } from './windows.ts'

export const INDEX_MAGIC = 0x47534941
/** Entries per block; the highest rank of each block is stored. */
export const BLOCK_ENTRIES = 64
/** Factor of popularity in a rank; the documents of a catalog name fill the range below it. */
export const RANK_STEP = 2 ** 20
/** Maximum of trending queries per window. */
const TRENDING_MAX = 200

/** Maximum of popular documents per window. */
const DOCUMENTS_LISTED_MAX = 300

export interface IndexInput {
  readonly table: Pick<QueryTable, 'queries' | 'tagSets'>
  readonly documents: DocumentTable['documents']
  readonly names: readonly CatalogName[]
  /** Absent: spellings are unknown, and queries are suggested as typed. */
  readonly spellings?: Spellings
  readonly analyzer: Analyzer
  /** Number of the day at which the windows end. */
  readonly today: number
}

interface Entry extends PreparedQuery {
  readonly key: string
  readonly isSpelt: boolean
  readonly counts: Counts
  readonly related: ReadonlyMap<string, number>
  docCount: number
}

/** Counts by window. */
interface Counts {
  readonly popularity: number[]
  /** Distinct visitors. */
  readonly visitors: number[]
  readonly networks: number[]
  readonly trend: number[]
  /** Popularity and visitors of each window, by set of tags. */
  readonly tagged: ReadonlyMap<number, number[]>
}

/** Queries counted per step. */
const STEP_QUERIES = 256

/**
 * Builds the suggestions of a store as of today, in shared memory; immutable. `SuggestionIndex`
 * reads it; docs/suggestions.md describes the layout.
 */
export function buildSuggestionIndex(input: IndexInput): SharedArrayBuffer {
  const steps = suggestionIndexSteps(input)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/**
 * The same in steps, so that other work can run in between; the input must not change meanwhile.
 */
export function* suggestionIndexSteps(input: IndexInput): Generator<void, SharedArrayBuffer> {
  const meant = yield* meantQueries(input.table, input.spellings, input.analyzer)
  const entries = yield* entriesOf(input, meant)
  const writer = new SectionWriter()
  addStrings(
    writer,
    'text',
    entries.map(({ shown }) => shown),
  )
  addStrings(
    writer,
    'folded',
    entries.map(({ folded }) => folded),
  )
  yield
  addWords(writer, entries, input.analyzer)
  yield
  addKeys(writer, entries, meant.renamed)
  writer.add(
    'spelt',
    Uint8Array.from(entries, ({ isSpelt }) => Number(isSpelt)),
  )
  for (const w of WINDOWS.keys()) {
    yield
    addWindow(writer, entries, w)
  }
  yield
  addTags(writer, entries, input.table.tagSets.length)
  yield
  addRelated(writer, entries, meant.renamed)
  yield
  addDocuments(writer, input)
  return writer.finish(INDEX_MAGIC, { today: input.today, tagSets: input.table.tagSets })
}

/** Sorted by folded text. */
function* entriesOf(
  { table, names, spellings, analyzer, today }: IndexInput,
  { queries }: MeantQueries,
): Generator<void, Entry[]> {
  const byKey = new Map<string, Entry>()
  const firstDay = firstDayOf(table.queries)
  let count = 0
  for (const { key, prepared, record, isSpelt } of queries) {
    if (++count % STEP_QUERIES === 0) yield
    const counts = countsOf(record, today, firstDay)
    if (counts.popularity.at(-1) === 0) continue
    byKey.set(key, { ...prepared, key, isSpelt, counts, related: record.related, docCount: 0 })
  }
  for (const { text, docCount } of names) {
    if (++count % STEP_QUERIES === 0) yield
    const query = readQuery(text, analyzer)
    if (query === undefined) continue
    let entry = byKey.get(query.key)
    if (entry === undefined) {
      const prepared = prepareQuery(query.shown, analyzer)
      const spelling = spellings?.of(prepared.shown, prepared.words)
      if (spelling?.meant !== undefined || isCutOff(prepared.words, analyzer)) continue
      const isSpelt = spelling !== undefined
      entry = {
        ...prepared,
        key: query.key,
        isSpelt,
        counts: NONE,
        related: new Map(),
        docCount: 0,
      }
      byKey.set(query.key, entry)
    }
    entry.docCount = Math.min(RANK_STEP - 1, Math.max(entry.docCount, docCount))
  }
  yield
  return [...byKey.values()]
    .filter(({ isShown }) => isShown)
    .toSorted((a, b) => compare(a.folded, b.folded) || compare(a.shown, b.shown))
}

/** A name that ends with a word such as "and" was cut from a longer one. */
function isCutOff(words: readonly string[], analyzer: Analyzer): boolean {
  return analyzer.isStopword(words.at(-1)!) && !words.every((word) => analyzer.isStopword(word))
}

function firstDayOf(queries: ReadonlyMap<string, QueryRecord>): number {
  let first = Infinity
  for (const { cells } of queries.values()) {
    for (let at = 0; at < cells.length; at += CELL_LENGTH)
      if (cells[at]! < first) first = cells[at]!
  }
  return first === Infinity ? 0 : first
}

const NONE: Counts = {
  popularity: WINDOWS.map(() => 0),
  visitors: WINDOWS.map(() => 0),
  networks: WINDOWS.map(() => 0),
  trend: WINDOWS.map(() => 0),
  tagged: new Map(),
}

function countsOf(record: QueryRecord, today: number, firstDay: number): Counts {
  const { cells, networks } = record
  const popularity = [0, 0, 0]
  const visitors = [0, 0, 0]
  const recent = [0, 0, 0]
  const tagged = new Map<number, number[]>()
  for (let at = 0; at < cells.length; at += CELL_LENGTH) {
    const day = cells[at]!
    const tagSet = cells[at + CELL.tagSet]!
    const worth = popularityOf(cells, at)
    for (const [w, { days, recentDays }] of WINDOWS.entries()) {
      if (!isWithin(day, today, days)) continue
      if (tagSet === 0) {
        popularity[w]! += worth
        if (day >= today - recentDays) recent[w]! += worth
        continue
      }
      const sums = tagged.get(tagSet) ?? [0, 0, 0, 0, 0, 0]
      sums[w]! += worth
      tagged.set(tagSet, sums)
    }
  }
  forEachVisitor(record.visitors, today, (_, w) => (visitors[w]! += 1))
  forEachVisitor(record.taggedVisitors, today, (tagSet, w) => {
    const sums = tagged.get(tagSet)
    if (sums !== undefined) sums[w + WINDOWS.length]! += 1
  })
  return {
    popularity,
    visitors,
    tagged,
    networks: WINDOWS.map(({ days }) => {
      let count = 0
      for (const lastDay of networks.values()) if (isWithin(lastDay, today, days)) count++
      return count
    }),
    trend: WINDOWS.map((window, w) =>
      trendOf(window, recent[w]!, popularity[w]! - recent[w]!, today - firstDay),
    ),
  }
}

/** @param visit with the window of the visitor's last day */
function forEachVisitor(
  visitors: VisitorDays,
  today: number,
  visit: (tagSet: number, window: number) => void,
): void {
  for (let at = 0; at < visitors.length; at += VISITOR_LENGTH) {
    for (const [w, { days }] of WINDOWS.entries()) {
      if (isWithin(visitors[at + VISITOR.day]!, today, days)) {
        visit(visitors[at + VISITOR.tagSet]!, w)
      }
    }
  }
}

/** The words of all entries, sorted, with their stems and their entries. */
function addWords(writer: SectionWriter, entries: readonly Entry[], analyzer: Analyzer): void {
  const all = new Set<string>()
  for (const { words, joined } of entries) {
    for (const word of words) all.add(word)
    for (const word of joined) all.add(word)
  }
  const words = [...all].toSorted(compare)
  const places = new Map(words.map((word, place) => [word, place]))
  const stemOf = words.map((word) => analyzer.stem(word))
  const stems = [...new Set(stemOf)].toSorted(compare)
  const stemPlaces = new Map(stems.map((stem, place) => [stem, place]))
  addStrings(writer, 'word', words)
  addStrings(writer, 'stem', stems)
  writer.add(
    'wordStem',
    Uint32Array.from(stemOf, (stem) => stemPlaces.get(stem)!),
  )

  const wordLists = entries.map((entry) => entry.words.map((word) => places.get(word)!))
  const joinedLists = entries.map((entry) => entry.joined.map((word) => places.get(word)!))
  addLists(writer, 'entryWords', wordLists)
  addLists(writer, 'entryJoined', joinedLists)
  const postings: number[][] = words.map(() => [])
  const stemWords: number[][] = stems.map(() => [])
  stemOf.forEach((stem, word) => stemWords[stemPlaces.get(stem)!]!.push(word))
  wordLists.forEach((list, ord) => {
    for (const word of list) addOnce(postings[word]!, ord)
    for (const word of joinedLists[ord]!) addOnce(postings[word]!, ord)
  })
  addLists(writer, 'postings', postings)
  addLists(writer, 'stemWords', stemWords)
}

/** The list is ascending, so a duplicate can only be its last item. */
function addOnce(list: number[], ord: number): void {
  if (list.at(-1) !== ord) list.push(ord)
}

/** Sorted hashes of the keys, including those of misspelt queries, with their entries. */
function addKeys(
  writer: SectionWriter,
  entries: readonly Entry[],
  renamed: MeantQueries['renamed'],
): void {
  const ords = new Map(entries.map(({ key }, ord) => [key, ord]))
  const hashes = entries.map(({ key }, ord) => ({ hash: hashText(key), ord }))
  for (const [key, meant] of renamed) {
    const ord = ords.get(meant)
    if (ord !== undefined && !ords.has(key)) hashes.push({ hash: hashText(key), ord })
  }
  hashes.sort((a, b) => a.hash - b.hash || a.ord - b.ord)
  const keyHash = new Float64Array(hashes.length)
  const keyEntry = new Uint32Array(hashes.length)
  for (let i = 0; i < hashes.length; i++) {
    keyHash[i] = hashes[i]!.hash
    keyEntry[i] = hashes[i]!.ord
  }
  writer.add('keyHash', keyHash)
  writer.add('keyEntry', keyEntry)
}

function addWindow(writer: SectionWriter, entries: readonly Entry[], w: number): void {
  const ranks = new Float64Array(entries.length)
  const visitors = new Uint32Array(entries.length)
  const networks = new Uint8Array(entries.length)
  // `from` with a function takes ten times as long.
  for (let ord = 0; ord < entries.length; ord++) {
    const { counts, docCount } = entries[ord]!
    ranks[ord] = counts.popularity[w]! * RANK_STEP + docCount
    visitors[ord] = counts.visitors[w]!
    networks[ord] = counts.networks[w]!
  }
  const blocks = new Float64Array(Math.ceil(entries.length / BLOCK_ENTRIES))
  /** Number of earlier entries that can be suggested. */
  const before = new Uint32Array(entries.length + 1)
  ranks.forEach((rank, ord) => {
    const block = Math.floor(ord / BLOCK_ENTRIES)
    if (rank > blocks[block]!) blocks[block] = rank
    before[ord + 1] = before[ord]! + (rank > 0 ? 1 : 0)
  })
  writer.add(`rank${w}`, ranks)
  writer.add(`blockRank${w}`, blocks)
  writer.add(`ranked${w}`, before)
  writer.add(`visitors${w}`, visitors)
  writer.add(`networks${w}`, networks)
  const trending = entries
    .flatMap(({ counts }, ord) => {
      const trend = counts.trend[w]!
      return trend > 0 ? [{ ord, trend }] : NOT_TRENDING
    })
    .toSorted((a, b) => b.trend - a.trend || a.ord - b.ord)
    .slice(0, TRENDING_MAX)
  writer.add(
    `trending${w}`,
    Uint32Array.from(trending, ({ ord }) => ord),
  )
}

const NOT_TRENDING: { ord: number; trend: number }[] = []

/** Adds counts by set of tags: entry, then popularity and visitors of each window. */
function addTags(writer: SectionWriter, entries: readonly Entry[], setCount: number): void {
  const lists: number[][] = Array.from({ length: setCount }, () => [])
  entries.forEach(({ counts }, ord) => {
    for (const [tagSet, sums] of counts.tagged) lists[tagSet]!.push(ord, ...sums)
  })
  addLists(writer, 'tagged', lists)
}

function addRelated(
  writer: SectionWriter,
  entries: readonly Entry[],
  renamed: MeantQueries['renamed'],
): void {
  const ords = new Map(entries.map(({ key }, ord) => [key, ord]))
  const lists = entries.map(({ related }, own) => {
    const sums = new Map<number, number>()
    for (const [key, sessions] of related) {
      const ord = ords.get(renamed.get(key) ?? key)
      if (ord !== undefined && ord !== own) sums.set(ord, (sums.get(ord) ?? 0) + sessions)
    }
    const found = Array.from(sums, ([ord, sessions]) => ({ ord, sessions }))
    if (found.length > 1) found.sort((a, b) => b.sessions - a.sessions || a.ord - b.ord)
    return found.map(({ ord }) => ord)
  })
  addLists(writer, 'related', lists)
}

/** Adds documents by window: the most clicked and bought ones, and the fastest growing ones. */
function addDocuments(writer: SectionWriter, { documents, today, table }: IndexInput): void {
  const firstDay = firstDayOf(table.queries)
  const counted = [...documents].map(([id, cells]) => ({ id, ...sumsOf(cells, today) }))
  const listed = new Map<string, number>()
  const place = (id: string): number => {
    if (!listed.has(id)) listed.set(id, listed.size)
    return listed.get(id)!
  }
  for (const [w, window] of WINDOWS.entries()) {
    const popular = counted
      .filter(({ popularity }) => popularity[w]! > 0)
      .toSorted((a, b) => b.popularity[w]! - a.popularity[w]! || compare(a.id, b.id))
      .slice(0, DOCUMENTS_LISTED_MAX)
    const trending = counted
      .map(({ id, popularity, recent }) => {
        const earlier = popularity[w]! - recent[w]!
        return { id, trend: trendOf(window, recent[w]!, earlier, today - firstDay) }
      })
      .filter(({ trend }) => trend > 0)
      .toSorted((a, b) => b.trend - a.trend || compare(a.id, b.id))
      .slice(0, TRENDING_MAX)
    writer.add(
      `popularDocuments${w}`,
      Uint32Array.from(popular, ({ id }) => place(id)),
    )
    writer.add(
      `trendingDocuments${w}`,
      Uint32Array.from(trending, ({ id }) => place(id)),
    )
  }
  addStrings(writer, 'document', [...listed.keys()])
}

/** Popularity of each window, and of its last days. */
function sumsOf(cells: DayCells, today: number): { popularity: number[]; recent: number[] } {
  const popularity = WINDOWS.map(() => 0)
  const recent = WINDOWS.map(() => 0)
  for (let at = 0; at < cells.length; at += CELL_LENGTH) {
    const worth = popularityOf(cells, at)
    for (const [w, { days, recentDays }] of WINDOWS.entries()) {
      if (!isWithin(cells[at]!, today, days)) continue
      popularity[w]! += worth
      if (cells[at]! >= today - recentDays) recent[w]! += worth
    }
  }
  return { popularity, recent }
}

/** Compares by code unit. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
