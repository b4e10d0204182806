import { DatabaseSync } from 'node:sqlite'

/** A typical setup of a shop: words of any script without accents, with English stemming. */
export const FTS5_TOKENIZER = 'porter unicode61 remove_diacritics 2'

/** Converts the words of a query to terms of FTS5, to be joined with OR or AND. */
export function fts5Terms(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => `"${word}"`)
}

/** Weight of the title against other fields: the best measured weight for FTS5. */
const TITLE_WEIGHT = 3

/** Documents in an FTS5 table in memory, ranked by its bm25: a second opinion on a query. */
export class Fts5 {
  readonly #database = new DatabaseSync(':memory:')
  readonly #ids: string[] = []
  readonly #fields: readonly string[]

  private constructor(fields: readonly string[]) {
    this.#fields = fields
    this.#database.exec(
      `CREATE VIRTUAL TABLE words USING fts5(${fields.join(',')}, content='',
        tokenize='${FTS5_TOKENIZER}')`,
    )
  }

  /**
   * @param fields names of the searched fields, the title first
   * @param lines documents as JSON with an `id`
   */
  static async of(fields: readonly string[], lines: AsyncIterable<string>): Promise<Fts5> {
    const index = new Fts5(fields)
    const marks = fields.map(() => '?').join(',')
    const insert = index.#database.prepare(
      `INSERT INTO words(rowid, ${fields.join(',')}) VALUES (?, ${marks})`,
    )
    index.#database.exec('BEGIN')
    for await (const line of lines) {
      const document = JSON.parse(line) as Readonly<Record<string, unknown>> & { id: string }
      insert.run(index.#ids.push(document.id), ...fields.map((field) => fieldText(document[field])))
    }
    index.#database.exec('COMMIT')
    return index
  }

  /** Ids of the best documents with any word of the text. */
  search(text: string, limit: number): string[] {
    const terms = fts5Terms(text)
    if (terms.length === 0) return []
    const weights = this.#fields.map((_, at) => (at === 0 ? TITLE_WEIGHT : 1)).join(',')
    const found = this.#database
      .prepare(
        `SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, ${weights}), rowid LIMIT ?`,
      )
      .all(terms.join(' OR '), limit)
    return found.map(({ rowid }) => this.#ids[Number(rowid) - 1] ?? '')
  }

  close(): void {
    this.#database.close()
  }
}

/** A field's value as text; joins the values of an array. */
export function fieldText(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'string') return value
  return value === undefined ? '' : JSON.stringify(value)
}
