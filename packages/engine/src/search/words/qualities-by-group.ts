import { WEIGHT_STRONG_MIN } from '../../scoring/formula.ts'
import type { IndexView } from '../view/index-view.ts'
import type { GroupAlternative } from './resolved-slot.ts'

/** Forms of a stem group with a quality. */
interface Entry {
  /** Mask of the matching forms. */
  forms: number
  /** q of all of them, while it is the same. */
  same: number
  /** By form number, once they differ. */
  quality: Float64Array | undefined
}

/**
 * Collects the qualities of forms and returns them by stem group. Nearly all of the hundreds of
 * groups of a prefix have a single quality, and need no array.
 */
export class QualitiesByGroup {
  readonly #view: IndexView
  readonly #byGroup = new Map<number, Entry>()

  constructor(view: IndexView) {
    this.#view = view
  }

  /** A form with two alternatives gets the higher quality. */
  match(form: number, q: number): void {
    const { terms } = this.#view
    if (terms.formDocFreq(form) === 0) return
    const group = terms.groupOf(form)
    const number = terms.numberOf(form)
    const entry = this.#byGroup.get(group)
    if (entry === undefined) {
      this.#byGroup.set(group, { forms: 1 << number, same: q, quality: undefined })
      return
    }
    if (q !== entry.same) entry.quality ??= qualityOf(entry)
    entry.forms |= 1 << number
    if (entry.quality !== undefined && q > entry.quality[number]!) entry.quality[number] = q
  }

  alternatives(): GroupAlternative[] {
    const { terms } = this.#view
    return Array.from(this.#byGroup, ([group, entry]) => {
      const isWhole = (terms.liveForms(group) & ~entry.forms) === 0
      const { best, least } = entry.quality === undefined ? sameQuality(entry) : ends(entry.quality)
      const quality = isWhole && best === least ? best : qualityOf(entry)
      return { group, quality, best, isStrong: least >= WEIGHT_STRONG_MIN, isWhole }
    })
  }
}

/** The largest and the smallest q of the matching forms. */
interface Ends {
  readonly best: number
  readonly least: number
}

function sameQuality({ same }: Entry): Ends {
  return { best: same, least: same }
}

function qualityOf({ forms, same, quality }: Entry): Float64Array {
  if (quality !== undefined) return quality
  const made = new Float64Array(32)
  for (let rest = forms; rest !== 0; rest &= rest - 1) made[31 - Math.clz32(rest & -rest)] = same
  return made
}

function ends(quality: Float64Array): Ends {
  let best = 0
  let least = Infinity
  for (let number = 0; number < quality.length; number++) {
    const q = quality[number]!
    if (q > best) best = q
    if (q > 0 && q < least) least = q
  }
  return { best, least }
}
