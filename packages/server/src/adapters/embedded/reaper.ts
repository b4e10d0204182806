import type { DocumentStore } from '../../ports/catalog/document-store.ts'
import type { StoreState } from './store-state.ts'

/** How long a version that is no longer live stays readable, so that a hit can still be fetched. */
export const GRACE_MS = 5_000
/**
 * Rows per step: each step is a separate commit, so that writes wait a few milliseconds at most.
 */
const STEP_ROWS_MAX = 5_000
/** Buried versions that one pass remembers, 8 bytes each. */
const CANDIDATES_MAX = 400_000

/**
 * Frees rows that nothing can need any longer: versions that were buried before the last pass and
 * that no index file holds, and catalogs without a store. One pass collects; the next one, at least
 * GRACE_MS later, removes. So no clock needs to be stored, and nothing is removed too early after a
 * restart.
 */
export class Reaper {
  readonly #documents: DocumentStore
  readonly #states: () => Iterable<StoreState>
  /** Rows found in the last pass, to be removed in this one. */
  #due: { readonly catalog: number; readonly docKeys: number[] }[] = []
  #dueCatalogs: number[] = []
  #abandoned: number[]
  /**
   * Where the next pass continues in a catalog with more buried versions than one pass remembers.
   */
  readonly #positions = new Map<number, number>()

  constructor(documents: DocumentStore, states: () => Iterable<StoreState>) {
    this.#documents = documents
    this.#states = states
    this.#abandoned = []
  }

  /** Called when a catalog no longer belongs to a store. */
  abandonCatalog(catalog: number): void {
    this.#abandoned.push(catalog)
  }

  /**
   * Does a bounded part of a pass. Runs alone on the writer's loop.
   *
   * @returns whether the pass continues
   */
  async step(): Promise<boolean> {
    const catalog = this.#dueCatalogs[0]
    if (catalog !== undefined) {
      if (!(await this.#documents.eraseSome(catalog, STEP_ROWS_MAX))) this.#dueCatalogs.shift()
      return true
    }
    const due = this.#due.at(-1)
    if (due !== undefined) {
      const reaped = due.docKeys.splice(-STEP_ROWS_MAX)
      if (due.docKeys.length === 0) this.#due.pop()
      if (reaped.length > 0 && this.#isInUse(due.catalog)) {
        const catalogs = [{ catalog: due.catalog, puts: [], removedIds: [], buried: [], reaped }]
        await this.#documents.commit({ stores: [], removedStores: [], catalogs })
      }
      return true
    }
    this.#collect()
    return false
  }

  #isInUse(catalog: number): boolean {
    for (const state of this.#states()) if (state.row.catalog === catalog) return true
    return false
  }

  /** Ends a pass, and remembers what the next one may remove. */
  #collect(): void {
    this.#dueCatalogs = this.#abandoned
    this.#abandoned = []
    let room = CANDIDATES_MAX
    for (const { row, index, next, loading } of this.#states()) {
      if (loading || index === undefined || room === 0) continue
      // The content of the files of an index that is not open yet is unknown.
      if (row.reanalysis !== undefined && next === undefined) continue
      const { catalog } = row
      const from = this.#positions.get(catalog) ?? 0
      const buried = this.#documents.buried(catalog, from, room)
      if (buried.length === room) this.#positions.set(catalog, buried.at(-1)! + 1)
      else this.#positions.delete(catalog)
      const docKeys = buried.filter(
        (docKey) => !index.holds(docKey) && next?.index.holds(docKey) !== true,
      )
      room -= buried.length
      if (docKeys.length > 0) this.#due.push({ catalog, docKeys })
    }
  }
}
