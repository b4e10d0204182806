import { ClusterError } from './cluster-error.ts'
import type { ControlIndex } from './control-index.ts'
import type { StoredControl } from './control-document.ts'

const KIND = 'counter'
/** Maximum of attempts to take a block while other nodes take the next one first. */
const TAKES_MAX = 50

/**
 * Assigns numbers that no other node gets: each node takes blocks of them. A block is above all
 * earlier blocks. Numbers that a node does not use are lost.
 */
export class NumberBlocks {
  readonly #index: ControlIndex

  constructor(index: ControlIndex) {
    this.#index = index
  }

  /** The id of the control document of a counter. */
  static idOf(counter: string): string {
    return `${KIND}:${counter}`
  }

  /**
   * Returns the first number that is not taken yet.
   * @param stored the control document, if it exists
   */
  static nextIn(stored: StoredControl | undefined): number {
    return stored === undefined ? 1 : (JSON.parse(stored.json) as number)
  }

  /**
   * @returns the first of `count` numbers, which are the caller's now; they start at 1
   * @throws ClusterError
   */
  async take(counter: string, count: number): Promise<number> {
    const id = NumberBlocks.idOf(counter)
    for (let takes = 0; takes < TAKES_MAX; takes++) {
      const stored = await this.#index.get(id)
      const next = NumberBlocks.nextIn(stored)
      const put = { id, kind: KIND, json: JSON.stringify(next + count) }
      const [outcome] = await this.#index.commit([{ put, expected: stored?.version ?? 'absent' }])
      if (typeof outcome === 'object') return next
    }
    throw new ClusterError('busy', `Too many nodes take numbers of ${counter}`)
  }
}
