import { typedRanges } from '../../analysis/hangul.ts'
import { EditAutomaton, PATTERN_MAX, STATE_SIZE } from '../../dictionary/edit-automaton.ts'
import type { FacetWord } from '../../query/plan.ts'
import { FACET_BEGUN_MISTAKES, looksBegun } from '../../scoring/corrections.ts'
import type { BegunForms } from '../view/begun-forms.ts'
import { pause, type Pace, type Steps } from '../view/steps.ts'
import type { ValueIndex } from '../view/value-index.ts'

/** Words tested, or values marked, between two looks at the clock: under a millisecond. */
const STEPS_PER_CHECK = 4_096

/**
 * The mistakes of every value of an index for a facet query, as `FacetQuery.mistakesIn` finds them
 * for one: words of values are tested once, however many values have them, and those with the same
 * beginning together.
 *
 * @returns by id; Infinity: does not match
 */
export function* mistakesByValue(
  index: ValueIndex,
  query: readonly FacetWord[],
  pace: Pace,
): Steps<Float64Array> {
  const { count } = index
  const sums = new Float64Array(count)
  const fewest = new Float64Array(count)
  for (const [i, word] of query.entries()) {
    fewest.fill(Infinity)
    const near = yield* nearForms(index.forms, word, i === query.length - 1, pace)
    let steps = 0
    for (const [form, mistakes] of near) {
      for (let place = index.lastPlace(form); place >= 0; place = index.placeBefore(place)) {
        if (++steps % STEPS_PER_CHECK === 0) yield* pause(pace)
        const id = index.valueAt(place)
        // Values that were added meanwhile are beyond the count.
        if (id < count && mistakes < fewest[id]!) fewest[id] = mistakes
      }
    }
    for (let id = 0; id < count; id++) sums[id]! += fewest[id]!
    yield* pause(pace)
  }
  return sums
}

/** @returns the mistakes of the forms that match a word of the query, by number */
function* nearForms(
  forms: BegunForms,
  word: FacetWord,
  isLast: boolean,
  pace: Pace,
): Steps<Map<number, number>> {
  const near = new Map<number, number>()
  const { runs, unsorted } = forms.sortedRuns()
  const pattern = Array.from(word.form, (character) => character.codePointAt(0)!)
  if (word.edits > 0 && pattern.length <= PATTERN_MAX) {
    const walk = new FormWalk(forms.forms, word, pattern, isLast)
    for (const run of [...runs, unsorted]) yield* walk.collect(run, near, pace)
  }
  const asTyped = isLast ? typedRanges(word.form) : []
  for (const range of asTyped) forms.forEachIn(range, (number) => near.set(number, 0))
  if (!isLast) {
    const number = forms.numberOf(word.form)
    if (number !== undefined) near.set(number, 0)
  }
  return near
}

/**
 * Tests sorted forms against one word: what two forms have in common is read once, and forms with a
 * beginning that nothing can continue to a match are skipped.
 */
class FormWalk {
  readonly #forms: readonly string[]
  readonly #typed: string
  readonly #isLast: boolean
  readonly #automaton: EditAutomaton
  readonly #depthMax: number
  /** By code points read: the state, UTF-16 units read, mistakes if the rest may be anything. */
  readonly #states: Int32Array
  readonly #units: Uint32Array
  readonly #begun: Float64Array
  /** The last code point read, by depth. */
  readonly #read: Int32Array
  #depth = 0
  /** Units of the form after which nothing can match; 0: it was read to its end. */
  #deadUnits = 0

  constructor(
    forms: readonly string[],
    word: FacetWord,
    pattern: readonly number[],
    isLast: boolean,
  ) {
    this.#forms = forms
    this.#typed = word.form
    this.#isLast = isLast
    this.#automaton = new EditAutomaton(pattern, word.edits)
    this.#depthMax = pattern.length + word.edits
    const depths = this.#depthMax + 2
    this.#states = new Int32Array(depths * STATE_SIZE)
    this.#units = new Uint32Array(depths)
    this.#begun = new Float64Array(depths).fill(Infinity)
    this.#read = new Int32Array(depths).fill(-1)
    this.#automaton.start(this.#states, 0)
  }

  /** @param run numbers of forms, in the order of the forms */
  *collect(run: Uint32Array, near: Map<number, number>, pace: Pace): Steps {
    this.#depth = 0
    let before = ''
    for (let at = 0, steps = 0; at < run.length; steps++) {
      if (steps % STEPS_PER_CHECK === 0) yield* pause(pace)
      const form = this.#forms[run[at]!]!
      const mistakes = this.#mistakesIn(form, commonUnits(before, form))
      before = form
      if (mistakes < Infinity) near.set(run[at]!, mistakes)
      const isHopeless = this.#deadUnits > 0 && this.#begun[this.#depth] === Infinity
      at = isHopeless ? this.#endOfBeginning(run, at, form.slice(0, this.#deadUnits)) : at + 1
    }
  }

  /** @param common units that the form has in common with the one before */
  #mistakesIn(form: string, common: number): number {
    while (this.#units[this.#depth]! > common) this.#depth--
    const automaton = this.#automaton
    const states = this.#states
    this.#deadUnits = 0
    for (let depth = this.#depth, unit = this.#units[depth]!; unit < form.length; depth++) {
      const codePoint = form.codePointAt(unit)!
      unit += codePoint > 0xffff ? 2 : 1
      const from = depth * STATE_SIZE
      const goesOn =
        depth < this.#depthMax &&
        automaton.step(states, from, from + STATE_SIZE, codePoint, this.#read[depth]!)
      if (!goesOn) {
        this.#deadUnits = unit
        return this.#begun[depth]!
      }
      this.#depth = depth + 1
      this.#read[depth + 1] = codePoint
      this.#units[depth + 1] = unit
      const distance = automaton.distance(states, from + STATE_SIZE)
      const isBegun = distance >= 0 && this.#isLast && looksBegun(this.#typed, form.slice(0, unit))
      this.#begun[depth + 1] = Math.min(
        this.#begun[depth]!,
        isBegun ? FACET_BEGUN_MISTAKES + distance : Infinity,
      )
    }
    const whole = automaton.distance(states, this.#depth * STATE_SIZE)
    return whole < 0 ? this.#begun[this.#depth]! : whole
  }

  /** The place of the first form that does not begin like the one at `at`, by galloping. */
  #endOfBeginning(run: Uint32Array, at: number, beginning: string): number {
    const begins = (place: number): boolean => this.#forms[run[place]!]!.startsWith(beginning)
    let stride = 1
    while (at + stride < run.length && begins(at + stride)) stride *= 2
    let [low, high] = [at + (stride >>> 1), Math.min(at + stride, run.length)]
    while (low + 1 < high) {
      const middle = (low + high) >>> 1
      if (begins(middle)) low = middle
      else high = middle
    }
    return high
  }
}

function commonUnits(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let common = 0
  while (common < end && a.charCodeAt(common) === b.charCodeAt(common)) common++
  return common
}
