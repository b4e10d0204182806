import { PATH_MARKS } from '../cells/path-text.ts'
import { isExactNumber } from '@aisle/client'
import { DistinctCount } from './distinct-count.ts'
import { PathStats } from './path-stats.ts'
import { SHORT_MAX_CHARS, TRAITS, traitsOfNumber, traitsOfText } from './value-traits.ts'
import type { Trait } from './value-traits.ts'

/** A value that differs in type from the others. */
export interface Fault {
  /** Row number, from 1. */
  readonly row: number
  readonly value: string
}

/** Maximum of faults named per column. */
const FAULTS_NAMED_MAX = 5
const EXAMPLES_MAX = 3
const EXAMPLE_MAX_CHARS = 60
const CURRENCIES_MAX = 100
/** Maximum length of texts that are examined for paths, in characters. */
const PATH_MAX_CHARS = 400

/** The types that faults of a column are measured against. */
export const FAMILIES = ['point', 'comma', 'flag', 'dmy', 'mdy'] as const
export type Family = (typeof FAMILIES)[number]

/** Statistics on single values: cells, parts of cells, or elements of lists. */
export class ValueStats {
  count = 0
  /** JSON values that are not texts. */
  numberCount = 0
  flagCount = 0
  /** Objects and lists among single values. */
  nestedCount = 0
  longestChars = 0
  /** The first number that contains a point or comma. */
  markedExample = ''
  readonly #traits = new Map<Trait, number>()
  #distinct = new DistinctCount()
  #currencies = new Map<string, number>()
  #faults = new Map<Family, Fault[]>()
  #paths = new Map(PATH_MARKS.map((mark) => [mark, new PathStats(mark)]))
  #examples: string[] = []
  #isFaulty = false

  add(value: unknown, row: number): void {
    this.count++
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    const has = new Set<Trait>()
    const seen = (trait: Trait): void => void has.add(trait)
    if (typeof value === 'string') {
      traitsOfText(text, seen, (currency) => this.#addCurrency(currency))
      this.#addPaths(text, has)
    } else if (typeof value === 'number' || isExactNumber(value)) {
      this.numberCount++
      traitsOfNumber(text, seen)
    } else if (typeof value === 'boolean') {
      this.flagCount++
      seen('flag')
      seen(value ? 'true' : 'false')
    } else this.nestedCount++
    if (this.markedExample === '' && has.has('marked')) this.markedExample = text
    for (const trait of has) this.#traits.set(trait, this.of(trait) + 1)
    if (!this.#isFaulty && !has.has('nothing')) this.#addFaults(has, row, text)
    this.longestChars = Math.max(this.longestChars, text.length)
    if (text.length <= SHORT_MAX_CHARS) this.#distinct.add(text)
    else if (!has.has('long')) this.#traits.set('long', this.of('long') + 1)
    this.#addExample(text)
  }

  /** The number of values with a trait. */
  of(trait: Trait): number {
    return this.#traits.get(trait) ?? 0
  }

  faultsOf(family: Family): readonly Fault[] {
    return this.#faults.get(family) ?? []
  }

  get distinctCount(): number {
    return this.#distinct.count
  }

  get currencies(): ReadonlyMap<string, number> {
    return this.#currencies
  }

  get paths(): ReadonlyMap<(typeof PATH_MARKS)[number], PathStats> {
    return this.#paths
  }

  get examples(): readonly string[] {
    return this.#examples
  }

  copy(): ValueStats {
    const copy = new ValueStats()
    copy.count = this.count
    copy.numberCount = this.numberCount
    copy.flagCount = this.flagCount
    copy.nestedCount = this.nestedCount
    copy.longestChars = this.longestChars
    copy.markedExample = this.markedExample
    for (const trait of TRAITS) if (this.of(trait) > 0) copy.#traits.set(trait, this.of(trait))
    copy.#distinct = this.#distinct.copy()
    copy.#currencies = new Map(this.#currencies)
    copy.#faults = new Map([...this.#faults].map(([family, faults]) => [family, [...faults]]))
    copy.#paths = new Map([...this.#paths].map(([mark, paths]) => [mark, paths.copy()]))
    copy.#examples = [...this.#examples]
    return copy
  }

  #addCurrency(currency: string): void {
    const count = this.#currencies.get(currency)
    if (count === undefined && this.#currencies.size >= CURRENCIES_MAX) return
    this.#currencies.set(currency, (count ?? 0) + 1)
  }

  #addPaths(text: string, has: ReadonlySet<Trait>): void {
    if (text.length > PATH_MAX_CHARS || has.has('address') || has.has('html')) return
    for (const [mark, paths] of this.#paths) if (text.includes(mark)) paths.add(text)
  }

  /** Adds faults until each family has as many as are named. */
  #addFaults(has: ReadonlySet<Trait>, row: number, text: string): void {
    let isFaulty = true
    for (const family of FAMILIES) {
      let faults = this.#faults.get(family)
      if (faults === undefined) this.#faults.set(family, (faults = []))
      if (faults.length >= FAULTS_NAMED_MAX) continue
      if (!has.has(family)) faults.push({ row, value: text.slice(0, EXAMPLE_MAX_CHARS) })
      isFaulty &&= faults.length >= FAULTS_NAMED_MAX
    }
    this.#isFaulty = isFaulty
  }

  #addExample(text: string): void {
    if (this.#examples.length >= EXAMPLES_MAX) return
    const example = text.slice(0, EXAMPLE_MAX_CHARS)
    if (!this.#examples.includes(example)) this.#examples.push(example)
  }
}
