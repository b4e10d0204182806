/**
 * Words within 0, 1 or 2 edits of a pattern, where swapping two neighbours is one edit (optimal
 * string alignment): a bit-parallel automaton after Wu and Manber, "Fast Text Searching Allowing
 * Errors" (1992), with Hyyrö's term for transpositions (2003). Bit i of `states[e]` is set if the
 * first i code points of the pattern match the text so far with at most e edits.
 *
 * A state is six integers in an Int32Array: states for 0, 1, 2 edits, then those of the previous
 * step. Patterns have at most PATTERN_MAX code points, so that everything fits into 32 bits.
 */
export const PATTERN_MAX = 30
/** Integers per state. */
export const STATE_SIZE = 6

/** The automaton of one pattern of at most PATTERN_MAX code points. */
export class EditAutomaton {
  readonly edits: number
  /** The bit of the whole pattern, and all bits of a state. */
  readonly accept: number
  readonly all: number
  /** Positions of a character in the pattern, for ASCII. */
  readonly ascii = new Int32Array(128)
  readonly #others = new Map<number, number>()

  constructor(pattern: readonly number[], edits: number) {
    this.edits = edits
    this.accept = 1 << pattern.length
    this.all = pattern.length === 31 ? -1 : (1 << (pattern.length + 1)) - 1
    pattern.forEach((codePoint, i) => {
      if (codePoint < 128) this.ascii[codePoint]! |= 1 << i
      else this.#others.set(codePoint, (this.#others.get(codePoint) ?? 0) | (1 << i))
    })
  }

  /** Writes the state of the empty text. */
  start(states: Int32Array, at: number): void {
    states[at] = 1
    states[at + 1] = this.edits >= 1 ? 3 & this.all : 0
    states[at + 2] = this.edits >= 2 ? 7 & this.all : 0
    states[at + 3] = 0
    states[at + 4] = 0
    states[at + 5] = 0
  }

  /**
   * Reads the state at `from`, appends a code point, writes the state at `to`.
   *
   * @param previous the preceding code point, -1 at the start
   * @returns false if no continuation can match
   */
  step(states: Int32Array, from: number, to: number, codePoint: number, previous: number): boolean {
    const mask = this.maskOf(codePoint)
    const r0 = states[from]!
    const r1 = states[from + 1]!
    const r2 = states[from + 2]!
    const all = this.all
    const n0 = ((r0 & mask) << 1) & all
    let n1 = 0
    let n2 = 0
    if (this.edits >= 1) {
      const swap = previous < 0 ? 0 : mask & (this.maskOf(previous) >> 1)
      // Match, extra code point in the text, substitution, code point missing in the text, swap.
      n1 =
        (((r1 & mask) << 1) | r0 | (r0 << 1) | (n0 << 1) | ((states[from + 3]! & swap) << 2)) & all
      if (this.edits >= 2) {
        n2 =
          (((r2 & mask) << 1) | r1 | (r1 << 1) | (n1 << 1) | ((states[from + 4]! & swap) << 2)) &
          all
      }
    }
    states[to] = n0
    states[to + 1] = n1
    states[to + 2] = n2
    states[to + 3] = r0
    states[to + 4] = r1
    states[to + 5] = r2
    return (n0 | n1 | n2) !== 0
  }

  /** @returns number of edits for the text of the state, -1 if it is out of reach */
  distance(states: Int32Array, at: number): number {
    for (let e = 0; e <= this.edits; e++) if ((states[at + e]! & this.accept) !== 0) return e
    return -1
  }

  /** Positions of a code point in the pattern: bit i is set if it is code point i. */
  maskOf(codePoint: number): number {
    return codePoint < 128 ? this.ascii[codePoint]! : (this.#others.get(codePoint) ?? 0)
  }
}
