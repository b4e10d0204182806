import { byteLength } from '../bytes.ts'
import { IdSet } from './id-set.ts'

export const IDS_NAMED_MAX = 10
const ID_MAX_BYTES = 512

/** Whether the values of a column can serve as document ids. */
export interface IdFigures {
  readonly rowCount: number
  /** Rows without an id. */
  readonly emptyCount: number
  /** Numbers of the first such rows, from 1. */
  readonly emptyRows: readonly number[]
  /** Rows with the id of an earlier row. */
  readonly repeatedCount: number
  /** The first such ids. */
  readonly repeatedIds: readonly string[]
  /** Values that are not valid document id. */
  readonly badCount: number
}

/** Counts ids that are empty, repeated or impossible. */
export class IdStats {
  readonly #ids = new IdSet()
  readonly #repeatedIds = new Set<string>()
  readonly #emptyRows: number[]
  #rowCount: number
  #emptyCount: number
  #repeatedCount = 0
  #badCount = 0

  /** @param rowsBefore earlier rows, which lacked the column */
  constructor(rowsBefore = 0) {
    this.#rowCount = rowsBefore
    this.#emptyCount = rowsBefore
    const named = Math.min(rowsBefore, IDS_NAMED_MAX)
    this.#emptyRows = Array.from({ length: named }, (_, i) => i + 1)
  }

  /** @param row from 1 */
  add(row: number, value: unknown): void {
    this.#rowCount++
    const id = idText(value)
    if (id === '') {
      this.#emptyCount++
      if (this.#emptyRows.length < IDS_NAMED_MAX) this.#emptyRows.push(row)
    } else if (id === undefined || byteLength(id) > ID_MAX_BYTES || hasControl(id)) {
      this.#badCount++
    } else if (!this.#ids.add(id)) {
      this.#repeatedCount++
      if (this.#repeatedIds.size < IDS_NAMED_MAX) this.#repeatedIds.add(id)
    }
  }

  figures(): IdFigures {
    return {
      rowCount: this.#rowCount,
      emptyCount: this.#emptyCount,
      emptyRows: this.#emptyRows,
      repeatedCount: this.#repeatedCount,
      repeatedIds: [...this.#repeatedIds],
      badCount: this.#badCount,
    }
  }
}

/** The id; empty: missing; undefined: not a valid id. */
function idText(value: unknown): string | undefined {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : undefined
  const text = JSON.stringify(value) ?? ''
  return /^-?\d{1,512}$/.test(text) ? text : undefined
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text) || !text.isWellFormed()
}
