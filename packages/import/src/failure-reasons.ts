/** An import stops after this many consecutive rows that fail for the same reason. */
export const FAILURES_ALIKE_MAX = 1_000
/** Reasons that are counted separately; all others share one count. */
const REASONS_MAX = 1_000
/** Maximum of reasons from one error. */
const FAULTS_MAX = 50

export interface FailureReason {
  /** The first message of this reason. */
  readonly example: string
  /** Row number of that message, from 1. */
  readonly firstRow: number
  /** Rows with this reason, possibly among others. */
  readonly count: number
}

/**
 * Counts why rows failed. Errors that differ only in the document, the received value or a number
 * are one reason; an error that names several faults has several.
 */
export class FailureReasons {
  readonly #reasons = new Map<string, { example: string; firstRow: number; count: number }>()
  /** Reasons shared by all rows since the last success. */
  #common: ReadonlySet<string> = new Set()
  #runLength = 0
  #lastRow = Number.NaN
  #stuck: FailureReason | undefined

  /**
   * Rows must be added in the order of the source.
   *
   * @param row place in the source, from 1
   * @param id of the document, as far as it is known
   */
  add(row: number, error: string, id = ''): void {
    const faults = new Map(faultsOf(error).map((fault) => [reasonOf(fault, id), fault]))
    const reasons = new Set([...faults].map(([reason, fault]) => this.#count(row, reason, fault)))
    const isNext = row === this.#lastRow + 1
    const common = isNext ? reasons.intersection(this.#common) : reasons
    this.#runLength = isNext && common.size > 0 ? this.#runLength + 1 : 1
    this.#common = common.size > 0 ? common : reasons
    this.#lastRow = row
    if (this.#runLength < FAILURES_ALIKE_MAX) return
    const [reason = ''] = this.#common
    this.#stuck ??= this.#reasons.get(reason)
  }

  /** @returns the key that it is counted under */
  #count(row: number, kind: string, fault: string): string {
    const reason = this.#reasons.has(kind) || this.#reasons.size < REASONS_MAX ? kind : ''
    const known = this.#reasons.get(reason)
    if (known === undefined) this.#reasons.set(reason, { example: fault, firstRow: row, count: 1 })
    else known.count++
    return reason
  }

  /** The reason of the consecutive failures, if there are enough to stop the import. */
  get stuck(): FailureReason | undefined {
    return this.#stuck
  }

  /** Reasons, the most frequent first. */
  list(): FailureReason[] {
    return [...this.#reasons.values()].toSorted((a, b) => b.count - a.count)
  }
}

/** `Cannot index document "1": field "a" …; field "b" …` says two things. */
function faultsOf(error: string): string[] {
  const head = /^Cannot index document(?: "[^"]*")?: /.exec(error)?.[0] ?? ''
  return error
    .slice(head.length)
    .split(/; (?=field ")/)
    .slice(0, FAULTS_MAX)
}

function reasonOf(fault: string, id: string): string {
  const [what = ''] = fault.split(', received ')
  return (id === '' ? what : what.replaceAll(`"${id}"`, '')).replaceAll(/\d+/g, '#')
}
