import type { Output } from '../context.ts'
import { counted } from './table.ts'

const BAR_WIDTH = 30
const SHOW_EVERY_MS = 100

/** A progress bar on a terminal. Prints nothing elsewhere, so that logs stay short. */
export class Progress {
  readonly #output: Output
  readonly #now: () => number
  readonly #label: string
  readonly #noun: string
  #shownMs = -Infinity

  constructor(output: Output, now: () => number, label: string, noun = 'document') {
    this.#output = output
    this.#now = now
    this.#label = label
    this.#noun = noun
  }

  /** @param share of the work that is done, 0..1; NaN if the total is unknown */
  show(share: number, count: number): void {
    const nowMs = this.#now()
    if (!this.#output.isTerminal || nowMs - this.#shownMs < SHOW_EVERY_MS) return
    this.#shownMs = nowMs
    const filled = Math.round(BAR_WIDTH * Math.min(1, Math.max(0, share)))
    const bar = Number.isNaN(share)
      ? ''
      : `[${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}] ${Math.floor(share * 100)}% `
    this.#output.write(`\r\u001b[K${this.#label} ${bar}${counted(count, this.#noun)}`)
  }

  /** Removes the bar. */
  clear(): void {
    if (this.#output.isTerminal) this.#output.write('\r\u001b[K')
  }
}
