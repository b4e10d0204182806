import { orInto, wordCount } from '../codec/bitset.ts'
import type { SectionReader, SectionWriter } from '../codec/section-file.ts'
import { codePointAt } from '../dictionary/shared-dictionary.ts'
import type { TermReader } from '../dictionary/term-store.ts'
import {
  MASK_INDEX,
  SINGLE_FORM,
  WIDE_MASKS,
  WINDOW_BITS,
  type PostingArrays,
} from '../postings/postings-format.ts'

/**
 * The documents of a merged segment with a word of a certain prefix of one or two letters. A search
 * for "s" would read the lists of 17,000 words per segment (20 to 50 ms for a million documents),
 * so merges precompute the union of those of the most expensive prefixes, on the index thread.
 *
 *     beginningKeys:   u32[beginning x 2]  code points, the second one 0 for a single letter
 *     beginningGroups: i32[beginning]      the prefix's own stem group, which is excluded; -1: none here
 *     beginningBits:   u32[beginning x words of a bitset]
 */
export class Beginnings {
  readonly #groups: Int32Array
  readonly #bits: Uint32Array
  readonly #words: number
  readonly #numbers = new Map<string, number>()

  constructor(sections: SectionReader, docCount: number) {
    const isThere = sections.has('beginningKeys')
    const keys = isThere ? sections.u32('beginningKeys') : new Uint32Array(0)
    this.#groups = isThere ? sections.i32('beginningGroups') : new Int32Array(0)
    this.#bits = isThere ? sections.u32('beginningBits') : new Uint32Array(0)
    this.#words = wordCount(docCount)
    for (let number = 0; number < this.#groups.length; number++) {
      const second = keys[number * 2 + 1]!
      const text = String.fromCodePoint(keys[number * 2]!)
      this.#numbers.set(second === 0 ? text : text + String.fromCodePoint(second), number)
    }
  }

  /**
   * @param ownGroup stem group of the prefix itself, -1 if the segment has no list of it
   * @returns the documents with another word of this prefix, deleted ones included; undefined: not
   * kept
   */
  of(beginning: string, ownGroup: number): Uint32Array | undefined {
    const number = this.#numbers.get(beginning)
    if (number === undefined || this.#groups[number] !== ownGroup) return undefined
    return this.#bits.subarray(number * this.#words, (number + 1) * this.#words)
  }
}

/** Which prefixes are kept. Tests keep all, so that small indexes behave like large ones. */
export interface BeginningsRule {
  /** Smaller segments keep none: their lists take no time. */
  readonly docCountMin: number
  /** Minimum number of postings to read for a prefix, per document of the segment. */
  readonly postingsPerDocumentMin: number
  /** Maximum number, the most expensive ones. Each takes one bit per document. */
  readonly beginningsMax: number
}

/** About 75 for a million products: 9 bytes per document, and never more than 16. */
export const USUAL_BEGINNINGS: BeginningsRule = {
  docCountMin: 32_768,
  postingsPerDocumentMin: 0.75,
  beginningsMax: 128,
}

/** Finding a list takes as long as reading this many postings. */
const POSTINGS_PER_LIST = 128
const LISTS_PER_BEAT = 1024

/** The lists of words with the same first letter, by the second one; 0: words of one letter. */
type ListsByLetter = Map<number, BegunLists>

/** Each list with the mask of the forms that have the prefix; -1: all do. */
interface BegunLists {
  readonly lists: number[]
  readonly masks: number[]
  postings: number
}

interface Beginning {
  readonly first: number
  /** 0: a prefix of one letter. */
  readonly second: number
  readonly cost: number
}

/**
 * @param lists of the merged segment
 * @param stem stemmer of the index's language, which finds the group of a prefix itself
 * @param beat called regularly
 */
export function writeBeginnings(
  lists: PostingArrays,
  docCount: number,
  terms: TermReader,
  stem: (form: string) => string,
  rule: BeginningsRule,
  sections: SectionWriter,
  beat: () => void,
): void {
  if (docCount === 0 || docCount < rule.docCountMin) return
  const byFirst = listsByBeginning(lists, terms, beat)
  const costMin = docCount * rule.postingsPerDocumentMin
  const kept = [...byFirst]
    .flatMap(([first, bySecond]) => beginningsOf(first, bySecond))
    .filter(({ cost }) => cost >= costMin)
    .sort((a, b) => b.cost - a.cost)
    .slice(0, rule.beginningsMax)
  const words = wordCount(docCount)
  const all = new Uint32Array(kept.length * words)
  const groups = new Int32Array(kept.length).fill(-1)
  const made = kept.map(({ first, second }, number) => {
    const ownGroup = terms.find(stem(textOf(first, second)))
    const bits = all.subarray(number * words, (number + 1) * words)
    return { first, second, number, ownGroup, bits }
  })
  for (const [first, bySecond] of byFirst) {
    const begins = made.filter((one) => one.first === first)
    const letter = begins.find(({ second }) => second === 0)
    for (const [second, begun] of begins.length === 0 ? [] : bySecond) {
      beat()
      const both = second === 0 ? undefined : begins.find((one) => one.second === second)
      addLists(lists, begun, letter, both, groups)
    }
  }
  sections.add(
    'beginningKeys',
    Uint32Array.from(kept.flatMap(({ first, second }) => [first, second])),
  )
  sections.add('beginningGroups', groups)
  sections.add('beginningBits', all)
}

/** The one-letter prefix, and those with each second letter. */
function beginningsOf(first: number, bySecond: ListsByLetter): Beginning[] {
  const costOf = ({ postings, lists }: BegunLists) => postings + lists.length * POSTINGS_PER_LIST
  const whole = [...bySecond.values()].reduce((sum, begun) => sum + costOf(begun), 0)
  const seconds = [...bySecond].filter(([second]) => second !== 0)
  return [
    { first, second: 0, cost: whole },
    ...seconds.map(([second, begun]) => ({ first, second, cost: costOf(begun) })),
  ]
}

function textOf(first: number, second: number): string {
  return String.fromCodePoint(first) + (second === 0 ? '' : String.fromCodePoint(second))
}

interface MadeBeginning {
  readonly number: number
  readonly ownGroup: number
  readonly bits: Uint32Array
}

/**
 * Adds the lists with two letters to the sets of both letters and of the first, reading each
 * posting once.
 *
 * @param letter undefined: not kept; as `both`
 * @param groups receives the groups of the prefixes themselves
 */
function addLists(
  lists: PostingArrays,
  begun: BegunLists,
  letter: MadeBeginning | undefined,
  both: MadeBeginning | undefined,
  groups: Int32Array,
): void {
  const only = both ?? letter
  if (only === undefined) return
  const own: number[] = []
  for (let i = 0; i < begun.lists.length; i++) {
    const group = lists.groups[begun.lists[i]!]!
    if (group === both?.ownGroup || group === letter?.ownGroup) own.push(i)
    else addList(lists, begun, i, only.bits)
  }
  if (both !== undefined && letter !== undefined) orInto(letter.bits, both.bits)
  for (const i of own) {
    const group = lists.groups[begun.lists[i]!]!
    for (const one of [letter, both]) {
      if (group === one?.ownGroup) groups[one.number] = group
      else if (one !== undefined) addList(lists, begun, i, one.bits)
    }
  }
}

function listsByBeginning(
  { groups, listPosting }: PostingArrays,
  terms: TermReader,
  beat: () => void,
): Map<number, ListsByLetter> {
  const byFirst = new Map<number, ListsByLetter>()
  const { arena, offsets } = terms.strings
  const begunWith = (first: number, second: number): BegunLists => {
    let bySecond = byFirst.get(first)
    if (bySecond === undefined) byFirst.set(first, (bySecond = new Map()))
    let begun = bySecond.get(second)
    if (begun === undefined) bySecond.set(second, (begun = { lists: [], masks: [], postings: 0 }))
    return begun
  }
  for (let list = 0; list < groups.length; list++) {
    if (list % LISTS_PER_BEAT === 0) beat()
    const forms = terms.formsOf(groups[list]!)
    for (const form of forms) {
      const [start, end] = [offsets[form]!, offsets[form + 1]!]
      const first = codePointAt(arena, start, end)
      const second = codePointAt(arena, start + (first > 0xffff ? 2 : 1), end)
      const begun = begunWith(first, Math.max(0, second))
      const mask = forms.length === 1 ? -1 : 1 << terms.numberOf(form)
      const last = begun.lists.length - 1
      if (begun.lists[last] === list) begun.masks[last]! |= mask
      else {
        begun.lists.push(list)
        begun.masks.push(mask)
        begun.postings += listPosting[list + 1]! - listPosting[list]!
      }
    }
  }
  return byFirst
}

/** Inner loop: sets the bits of the documents with one of the forms of the i-th list. */
function addList(lists: PostingArrays, begun: BegunLists, i: number, bits: Uint32Array): void {
  const list = begun.lists[i]!
  const forms = begun.masks[i]!
  const { listPosting, listChunk, chunkWindow, chunkEnd, ids, masks8, masks32 } = lists
  const where = lists.listMasks[list]!
  if (where >= SINGLE_FORM && ((forms >>> (where & 31)) & 1) === 0) return
  const isWhole = forms === -1 || where >= SINGLE_FORM
  const masks = (where & WIDE_MASKS) === 0 ? masks8 : masks32
  const offset = (where & MASK_INDEX) - listPosting[list]!
  let posting = listPosting[list]!
  for (let chunk = listChunk[list]!; chunk < listChunk[list + 1]!; chunk++) {
    const base = chunkWindow[chunk]! << WINDOW_BITS
    const end = chunkEnd[chunk]!
    for (; posting < end; posting++) {
      if (!isWhole && (masks[offset + posting]! & forms) === 0) continue
      const docOrd = base + ids[posting]!
      bits[docOrd >>> 5]! |= 1 << (docOrd & 31)
    }
  }
}
