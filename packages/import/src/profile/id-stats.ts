import { byteLength } from '../bytes.ts'
import { IdSet } from './id-set.ts'

export const IDS_NAMED_MAX = 10
const ID_MAX_BYTES = 512

/** Whether the values of a column can say which document a row is. */
export interface IdFigures {
  readonly rowCount: number
  /** Rows without one. */
  readonly emptyCount: number
  /** The first of them, from 1. */
  readonly emptyRows: readonly number[]
  /** Rows whose id an earlier row has too. */
  readonly repeatedCount: number
  /** The first such ids. */
  readonly repeatedIds: readonly string[]
  /** Values that no document can have as its id. */
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

  /** @param rowsBefore rows that had no such column */
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

/** Empty: there is none; undefined: it is no id. */
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
