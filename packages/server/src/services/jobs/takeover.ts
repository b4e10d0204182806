import type { StoredEdit } from '../../ports/catalog/edit-journal.ts'

type Left = Pick<StoredEdit, 'id' | 'revision' | 'isLeft'>

/** Says which jobs may be taken: those of nobody, and those whose runner makes no progress. */
export class Takeover {
  readonly #name: string
  readonly #afterMs: number
  /** Jobs that others work on: their state, and since when. */
  readonly #seen = new Map<string, { readonly revision: string; readonly sinceMs: number }>()

  /** @param name of the runner that asks */
  constructor(name: string, afterMs: number) {
    this.#name = name
    this.#afterMs = afterMs
  }

  /** @param runner who works on the job; empty: nobody */
  isFree({ id, revision, isLeft }: Left, runner: string): boolean {
    if (runner === '' || runner === this.#name || isLeft === true) return true
    const seen = this.#seen.get(id)
    if (seen?.revision !== revision) {
      this.#seen.set(id, { revision, sinceMs: performance.now() })
      return false
    }
    return performance.now() - seen.sinceMs >= this.#afterMs
  }

  /** Forgets all jobs but these. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id)
  }
}
