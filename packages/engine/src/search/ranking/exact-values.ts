import { GrowableU32 } from '../../codec/growable.ts'
import { isArrayType } from '../../schema/schema.ts'
import { impactLength, lengthLevel } from '../../scoring/formula.ts'
import type { RunCodes, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import { forEachRun, type RunWord } from '../words/word-runs.ts'

const NONE = new Uint32Array(0)

/** Documents found in one segment; one per thread, since a search never waits. */
const found = new GrowableU32(64)

/** A word of the value, bound to the index. */
interface ExactWord {
  readonly group: number
  readonly formMask: number
}

/**
 * "Exact value" in docs/ranking.md: the documents with a value that equals the query word for word.
 * Cheap for most queries, because the impact of a word tells the length of its field: a title of
 * twelve words is never read for a query of two.
 */
export class ExactValues {
  readonly #run: SearchRun
  /** None when no document can have such a value. */
  readonly #words: readonly ExactWord[]
  /** By field ordinal: whether its values count. */
  readonly #counts: readonly boolean[]
  readonly #key: string

  constructor(run: SearchRun) {
    const { exactValue, exactValueFields, fieldWeights } = run.plan
    this.#run = run
    this.#words = exactWords(run)
    this.#counts = exactValueFields.map((counts, field) => counts && fieldWeights[field]! > 0)
    this.#key = `${lengthLevel(exactValue.length)} ${this.#counts.join()}`
  }

  /** @returns docOrds of a segment, dead ones included, ascending; valid until the next call */
  in(segment: SegmentView): Uint32Array {
    const { reader } = segment
    const words: RunWord[] = []
    for (const { group, formMask } of this.#words) {
      const list = reader.listOf(group)
      if (list < 0) return NONE
      words.push({ list, formMask })
    }
    if (words.length === 0) return NONE
    const codes = segment.codesFor(this.#key, () => this.#codesIn(segment))
    found.length = 0
    const rule = { ...codes, wholeValue: true }
    forEachRun(reader, words, rule, this.#run.checkDeadline, (docOrd) => found.push(docOrd))
    return found.data.subarray(0, found.length)
  }

  /**
   * By impact code: 1 where a field can have a value of this length, 2 where it certainly is one
   * value of one word.
   */
  #codesIn({ reader }: SegmentView): RunCodes {
    const { schema } = this.#run.view
    const { length } = this.#words
    const level = lengthLevel(length)
    const { textFields } = reader
    const width = textFields.length
    const isArray = textFields.map((field) => isArrayType(schema.fields[field]!.type))
    const fields = Uint8Array.from(textFields, (field) => (this.#counts[field] === true ? 1 : 0))
    const codes = new Uint8Array(reader.impactCount)
    for (let code = 0; code < codes.length; code++) {
      for (let field = 0; field < width; field++) {
        const impact = reader.impacts[code * width + field]!
        if (impact === 0 || fields[field] === 0) continue
        const total = impactLength(impact)
        if (total === 1 && length === 1) codes[code] = 2
        else if (codes[code] === 0 && (isArray[field]! ? total >= level : total === level)) {
          codes[code] = 1
        }
      }
    }
    return { codes, fields }
  }
}

function exactWords({ view, plan }: SearchRun): ExactWord[] {
  const { terms } = view
  const words: ExactWord[] = []
  for (const text of plan.exactValue) {
    const form = terms.find(text)
    const group = form < 0 ? -1 : terms.groupOf(form)
    if (group < 0) return []
    words.push({ group, formMask: 1 << terms.numberOf(form) })
  }
  return words
}
