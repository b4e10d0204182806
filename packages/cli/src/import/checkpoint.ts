import type { Source } from '@aisle/import'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { CommandError } from '../exit-codes.ts'

/** Progress of an import, kept next to the file while it runs. */
interface Mark {
  readonly bytes: number
  readonly changed_ms: number
  readonly store: string
  /** Number of rows, from the first on, that were answered. */
  readonly rows: number
  /** Those of them that were refused; absent: an earlier version did not count them. */
  readonly failed?: number
}

/** Stores the number of answered rows, so that an interrupted import can resume. */
export class Checkpoint {
  readonly #file: string
  readonly #source: Source
  readonly #store: string
  /** Rows that were refused before `resumeAt`. */
  failedBefore = 0

  constructor(source: Source, store: string) {
    this.#file = `${source.name}.aisle-import`
    this.#source = source
    this.#store = store
  }

  /**
   * Number of leading rows to skip.
   *
   * @throws CommandError if there is no checkpoint, or it belongs to another file or store
   */
  resumeAt(): number {
    if (!existsSync(this.#file)) {
      throw new CommandError('usage', `Nothing to resume: there is no "${this.#file}"`)
    }
    const mark = JSON.parse(readFileSync(this.#file, 'utf8')) as Mark
    const { bytes, changedMs } = this.#source
    if (mark.bytes !== bytes || mark.changed_ms !== changedMs || mark.store !== this.#store) {
      throw new CommandError(
        'usage',
        'Cannot resume: the file or the store is not the one that the import started with',
      )
    }
    this.failedBefore = mark.failed ?? 0
    return mark.rows
  }

  /** @param failed refused rows, those before included */
  save(rows: number, failed: number): void {
    const { bytes, changedMs } = this.#source
    if (Number.isNaN(bytes)) return
    const mark: Mark = { bytes, changed_ms: changedMs, store: this.#store, rows, failed }
    writeFileSync(`${this.#file}.new`, JSON.stringify(mark))
    renameSync(`${this.#file}.new`, this.#file)
  }

  remove(): void {
    rmSync(this.#file, { force: true })
  }
}
