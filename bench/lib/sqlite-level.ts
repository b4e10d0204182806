import { DatabaseSync } from 'node:sqlite'
import { fts5Terms, FTS5_TOKENIZER } from '../../tools/lib/fts5.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { BENCH_FACETS } from './query-classes.ts'
import type { BenchQuery, QueryClass, QueryClassName } from './query-classes.ts'
import { measure, type Latency, type MeasureOptions } from './measure.ts'

/**
 * SQLite FTS5 on the same documents and queries, in the same run: a yardstick available everywhere.
 * bm25 over name and description with the Porter stemmer; top ten, exact count, and facets by GROUP
 * BY.
 */
export interface SqliteReport {
  readonly docsPerSecond: number
  readonly bytesPerDocument: number
  readonly classes: Partial<Record<QueryClassName, Latency>>
}

/** Classes that FTS5 cannot answer: it has no typo tolerance, and no defaults of a service. */
const WITHOUT_ANSWER: readonly QueryClassName[] = [
  'letters',
  'misspelt',
  'two_terms_default',
  'mix',
]

export async function sqliteLevel(
  catalog: BenchCatalog,
  classes: readonly QueryClass[],
  options: MeasureOptions = {},
): Promise<SqliteReport> {
  using database = new DatabaseSync(':memory:')
  const texts = catalog.fields.filter((field) => field.searchable).map((field) => field.name)
  database.exec(`
    CREATE VIRTUAL TABLE words USING fts5(${texts.join(',')}, content='',
      tokenize='${FTS5_TOKENIZER}');
    CREATE TABLE documents(rowid INTEGER PRIMARY KEY, brand TEXT, category TEXT, price REAL);
    CREATE TABLE colors(document INTEGER, color TEXT);
  `)
  const docsPerSecond = await fill(database, catalog, texts)
  const size = database.prepare(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  )
  const { bytes } = size.get() as { bytes: number }

  const latencies: Partial<Record<QueryClassName, Latency>> = {}
  for (const { name, queries } of classes) {
    if (WITHOUT_ANSWER.includes(name)) continue
    const search = new SqliteSearch(database)
    latencies[name] = await measure(queries, (query) => search.run(query), options)
  }
  return { docsPerSecond, bytesPerDocument: bytes / catalog.docCount, classes: latencies }
}

async function fill(
  database: DatabaseSync,
  catalog: BenchCatalog,
  texts: readonly string[],
): Promise<number> {
  const marks = texts.map(() => '?').join(',')
  const insertWords = database.prepare(
    `INSERT INTO words(rowid, ${texts.join(',')}) VALUES (?, ${marks})`,
  )
  const insertDocument = database.prepare('INSERT INTO documents VALUES (?, ?, ?, ?)')
  const insertColor = database.prepare('INSERT INTO colors VALUES (?, ?)')
  const startMs = performance.now()
  let row = 0
  database.exec('BEGIN')
  for await (const line of catalog.lines()) {
    row += 1
    const data = JSON.parse(line) as Record<string, string | number | string[] | undefined>
    insertWords.run(row, ...texts.map((name) => textOf(data[name])))
    insertDocument.run(
      row,
      textOf(data['brand']),
      textOf(data['category']),
      Number(data['price'] ?? 0),
    )
    for (const color of arrayOf(data['colors'])) insertColor.run(row, color)
  }
  database.exec('COMMIT')
  database.exec(`
    CREATE INDEX documents_price ON documents(price);
    CREATE INDEX colors_document ON colors(document);
    INSERT INTO words(words) VALUES ('optimize');
  `)
  return row / ((performance.now() - startMs) / 1_000)
}

class SqliteSearch {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Top ten, exact count and facets, as in an answer of the service. */
  run(query: BenchQuery): number {
    const match = matchExpression(query)
    const price = query.filters?.price
    const parameters = [
      ...(match === undefined ? [] : [match]),
      ...(price === undefined ? [] : [price.gte, price.lte]),
    ]
    const conditions = [
      ...(match === undefined ? [] : ['words MATCH ?']),
      ...(price === undefined ? [] : ['documents.price BETWEEN ? AND ?']),
    ]
    const sorted = query.sort_by !== undefined
    const joined = price !== undefined || sorted || match === undefined
    const from =
      match === undefined
        ? 'documents'
        : joined
          ? 'words JOIN documents ON documents.rowid = words.rowid'
          : 'words'
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
    const table = match === undefined ? 'documents' : 'words'
    const order = sorted
      ? 'ORDER BY documents.price'
      : match === undefined
        ? 'ORDER BY documents.rowid DESC'
        : 'ORDER BY rank'
    this.#all(`SELECT ${table}.rowid FROM ${from} ${where} ${order} LIMIT 10`, parameters)
    for (const facet of query.facet_by ?? []) {
      this.#all(facetStatement(facet, match !== undefined, where), parameters)
    }
    const [row] = this.#all(`SELECT count(*) AS found FROM ${from} ${where}`, parameters)
    return Number(row?.['found'] ?? 0)
  }

  #all(sql: string, parameters: (string | number)[]): Record<string, unknown>[] {
    let statement = this.#prepared.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      this.#prepared.set(sql, statement)
    }
    return statement.all(...parameters)
  }
}

function facetStatement(facet: string, matched: boolean, where: string): string {
  if (!BENCH_FACETS.includes(facet)) throw new Error(`No facet "${facet}" in this database`)
  const colors = facet === 'colors'
  const value = colors ? 'colors.color' : `documents.${facet}`
  const source = matched ? 'words JOIN documents ON documents.rowid = words.rowid' : 'documents'
  const join = colors ? `${source} JOIN colors ON colors.document = documents.rowid` : source
  return `SELECT ${value}, count(*) AS number FROM ${join} ${where} GROUP BY 1 ORDER BY 2 DESC LIMIT 100`
}

/** The words of a query in FTS5's syntax; `undefined` for all documents. */
function matchExpression(query: BenchQuery): string | undefined {
  if (query.q === '*') return undefined
  const terms = fts5Terms(query.q)
  if (query.prefix_mode === 'always' && terms.length > 0) terms.push(`${terms.pop()}*`)
  if (terms.length === 0) return '""'
  return terms.join(query.require_all_terms === true ? ' AND ' : ' OR ')
}

function textOf(value: string | number | string[] | undefined): string {
  return Array.isArray(value) ? value.join(' ') : String(value ?? '')
}

function arrayOf(value: string | number | string[] | undefined): string[] {
  return Array.isArray(value) ? value : []
}
