import { hasBit, setBit } from '../../codec/bitset.ts'
import { isArrayType } from '../../schema/schema.ts'
import { impactLength, lengthLevel } from '../../scoring/formula.ts'
import type { RunCodes, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import { forEachRun, hasRun, type RunRule, type RunWord } from '../words/word-runs.ts'

/** Reading this many postings of the rarest word costs as much as checking one document. */
const POSTINGS_PER_LOOK = 64

/** A word of the value, bound to the index. */
interface ExactWord {
  readonly group: number
  readonly formMask: number
}

/** "Exact value" in docs/ranking.md: the documents with a value that equals the query. */
export class ExactValues {
  readonly #run: SearchRun
  /** Empty if no document can have such a value. */
  readonly #words: readonly ExactWord[]
  /** By field ordinal: whether its values count. */
  readonly #counts: readonly boolean[]
  readonly #key: string
  readonly #fittingKey: string
  readonly #bySegment = new Map<SegmentView, ExactDocuments | undefined>()

  constructor(run: SearchRun) {
    const { exactValue, exactValueFields, fieldWeights } = run.plan
    this.#run = run
    this.#words = exactWords(run)
    this.#counts = exactValueFields.map((counts, field) => counts && fieldWeights[field]! > 0)
    const counts = this.#counts.join()
    this.#key = `${lengthLevel(exactValue.length)} ${counts}`
    this.#fittingKey = `length ${this.#words.length} ${counts}`
  }

  /** @returns undefined if no document of the segment has such a value */
  in(segment: SegmentView): ExactDocuments | undefined {
    if (!this.#bySegment.has(segment)) this.#bySegment.set(segment, this.#open(segment))
    return this.#bySegment.get(segment)
  }

  #open(segment: SegmentView): ExactDocuments | undefined {
    const words: RunWord[] = []
    for (const { group, formMask } of this.#words) {
      const list = segment.reader.listOf(group)
      if (list < 0) return undefined
      words.push({ list, formMask })
    }
    if (words.length === 0) return undefined
    const codes = segment.codesFor(this.#key, () => this.#codesIn(segment))
    const rule = { ...codes, wholeValue: true }
    const fitting = this.#fittingIn(segment)
    return new ExactDocuments(segment, words, rule, fitting, this.#run.checkDeadline)
  }

  /**
   * The documents with a value of this length. A bitset of a segment fits in the L2 cache, unlike
   * the lengths. Cached, because queries have few lengths, and as a bitset even for few documents,
   * because every search needs it.
   */
  #fittingIn(segment: SegmentView): Uint32Array {
    const key = this.#fittingKey
    const known = segment.filters.get(key)
    if (known !== undefined) return known
    const bits = segment.emptyBits()
    this.#run.view.schema.fields.forEach(({ type }, field) => {
      const lengths = this.#counts[field] === true ? segment.reader.lengths(field) : undefined
      if (lengths !== undefined) setFitting(lengths, this.#words.length, isArrayType(type), bits)
    })
    segment.filters.set(key, bits)
    return bits
  }

  /**
   * By impact code: 1 if a field can have a value of this length, 2 if it certainly is one value of
   * one word.
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

/** Sets the bits of documents with this many tokens; for a list field, with at least as many. */
function setFitting(
  lengths: ArrayLike<number>,
  wanted: number,
  isArray: boolean,
  bits: Uint32Array,
): void {
  for (let docOrd = 0; docOrd < lengths.length; docOrd++) {
    const length = lengths[docOrd]!
    if (length === wanted || (isArray && length > wanted)) setBit(bits, docOrd)
  }
}

/**
 * The documents of one segment with such a value. Lengths decide most: a title of twelve words is
 * never read for a query of two. A few are checked one by one; if they are many, one pass over the
 * list of the rarest word finds all.
 */
export class ExactDocuments {
  readonly #segment: SegmentView
  readonly #words: readonly RunWord[]
  readonly #rule: RunRule
  readonly #fitting: Uint32Array
  readonly #checkDeadline: () => void
  #looksLeft: number
  /** All of them, after a pass over the list. */
  #all: Uint32Array | undefined

  constructor(
    segment: SegmentView,
    words: readonly RunWord[],
    rule: RunRule,
    fitting: Uint32Array,
    checkDeadline: () => void,
  ) {
    this.#segment = segment
    this.#words = words
    this.#rule = rule
    this.#fitting = fitting
    this.#checkDeadline = checkDeadline
    const { listPosting } = segment.reader
    const sizes = words.map(({ list }) => listPosting[list + 1]! - listPosting[list]!)
    this.#looksLeft = Math.min(...sizes) / POSTINGS_PER_LOOK
  }

  /** By impact code of any of the words: 0 if no such document has it. */
  get codes(): Uint8Array {
    return this.#rule.codes
  }

  has(docOrd: number): boolean {
    if (!hasBit(this.#fitting, docOrd)) return false
    if (this.#all === undefined) {
      if (this.#looksLeft-- > 0) {
        return hasRun(this.#segment.reader, this.#words, this.#rule, docOrd)
      }
      this.#all = this.#walk()
    }
    return hasBit(this.#all, docOrd)
  }

  #walk(): Uint32Array {
    const bits = this.#segment.emptyBits()
    const { reader } = this.#segment
    const rule = this.#rule
    forEachRun(reader, this.#words, rule, this.#checkDeadline, (docOrd) => setBit(bits, docOrd))
    return bits
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
