import { CELL_LENGTH, cellsSince, raiseCell, type Counted, type DayCells } from './day-cells.ts'
import { KEPT_DAYS } from './query-table.ts'

/** Maximum of counted documents per store; beyond it, the least clicked are forgotten. */
const DOCUMENTS_MAX = 1_000_000
const DOCUMENTS_KEPT = 750_000

/** Clicks and conversions by document: sessions and days, for all queries. */
export class DocumentTable {
  readonly documents: Map<string, DayCells>
  #today = 0

  constructor(documents: Map<string, DayCells> = new Map()) {
    this.documents = documents
  }

  raise(documentId: string, day: number, counted: Counted): void {
    if (day <= this.#today - KEPT_DAYS) return
    let cells = this.documents.get(documentId)
    if (cells === undefined) {
      if (this.documents.size >= DOCUMENTS_MAX) this.#forgetRarest()
      cells = []
      this.documents.set(documentId, cells)
    }
    raiseCell(cells, day, 0, counted)
  }

  /** Starts a day: drops everything older than all windows. */
  forgetBefore(today: number): void {
    this.#today = today
    for (const [id, cells] of this.documents) {
      const kept = cellsSince(cells, today - KEPT_DAYS + 1)
      if (kept.length === 0) this.documents.delete(id)
      else if (kept.length < cells.length) this.documents.set(id, kept)
    }
  }

  /** Evicts the documents with the fewest days, then the least recently clicked. */
  #forgetRarest(): void {
    const ranked = [...this.documents].toSorted(
      ([, a], [, b]) => b.length - a.length || b.at(-CELL_LENGTH)! - a.at(-CELL_LENGTH)!,
    )
    for (const [id] of ranked.slice(DOCUMENTS_KEPT)) this.documents.delete(id)
  }
}
