import { compareCodePoints } from '../../codec/code-points.ts'
import type { VouchedExplanation } from '../../query/explanation.ts'
import { ranksBy } from '../../query/ranking-parts.ts'
import { titleFieldOf } from '../../schema/title-field.ts'
import { TIER_STEP, WEIGHT_STRONG_MIN } from '../../scoring/formula.ts'
import {
  TITLE_WORDS_MAX,
  vouchedPoints,
  vouchedShare,
  VOUCHERS_NAMED_MAX,
  VOUCHING_SHARE_MAX,
} from '../../scoring/vouching.ts'
import type { OpenedList } from '../view/list-bits.ts'
import type { SharesByGroup } from '../view/shares-by-group.ts'
import type { SearchRun } from '../view/search-run.ts'
import { bestQuality, type GroupAlternative, type ResolvedSlot } from '../words/resolved-slot.ts'
import { titleCompanyOf } from '../words/title-company.ts'
import type { RankedDocument } from './pair-bonus.ts'

/** Title words of the current document. */
const titleGroups = new Uint32Array(TITLE_WORDS_MAX)

/** A query term that titles may vouch for. */
export interface VouchedSlot {
  readonly slot: ResolvedSlot
  /** Its stem group, or that of its correction. */
  readonly group: number
  /** q of that group: the highest of its forms. */
  readonly quality: number
  /** Alternatives with which a document has the word. */
  readonly strong: readonly GroupAlternative[]
  /** Their lists by segment, looked up on demand. */
  readonly lists: (readonly StrongList[] | undefined)[]
  /** `titleCompanyOf` of its group, computed on demand. */
  shares: SharesByGroup | undefined
}

/** A posting list of a segment, with the qualities of its forms. */
interface StrongList {
  readonly opened: OpenedList
  readonly quality: GroupAlternative['quality']
}

/** "Vouching" in docs/ranking.md: points for words that a document lacks. */
export class Vouching {
  readonly #run: SearchRun
  readonly #slots: readonly VouchedSlot[]
  /** By segment, computed on demand. */
  readonly #evidence: (Float32Array | undefined)[] = []
  /** Maximum points of a document. */
  readonly max: number

  /** @param slots empty if no title can earn anything */
  constructor(run: SearchRun, slots: readonly ResolvedSlot[]) {
    this.#run = run
    this.#slots = vouchedSlots(run, slots)
    this.max = mostPointsOf(this.#slots)
  }

  get isEmpty(): boolean {
    return this.#slots.length === 0
  }

  /** Maximum points of a word. */
  maxFor(slot: ResolvedSlot): number {
    const vouched = this.#slots.find((one) => one.slot === slot)
    return vouched === undefined ? 0 : pointsOf(vouched, VOUCHING_SHARE_MAX)
  }

  /** The words that a document of the lower tier lacks. */
  lackedBy(document: RankedDocument): readonly VouchedSlot[] {
    return this.#slots.filter((slot) => !this.#holds(slot, document))
  }

  /**
   * @param lacking see `lackedBy`
   * @param pointsMin fewer points make no difference and may be returned as 0
   */
  of(lacking: readonly VouchedSlot[], document: RankedDocument, pointsMin: number): number {
    if (lacking.length === 0) return 0
    const most = this.#mostOf(lacking, document, pointsMin)
    if (most === 0 || most < pointsMin) return 0
    return this.#sharesOf(lacking, document).reduce(
      (points, share, i) => points + pointsOf(lacking[i]!, share),
      0,
    )
  }

  /** The points of a document, word by word. */
  explain(document: RankedDocument): VouchedExplanation[] {
    if (document.score >= TIER_STEP) return []
    return this.#slots.flatMap((vouched) => {
      if (this.#holds(vouched, document)) return []
      const { slot } = vouched
      const share = this.#sharesOf([vouched], document)[0]!
      const points = pointsOf(vouched, share)
      if (points === 0) return []
      return [{ form: slot.slot.form, share, points, words: this.#vouchers(vouched, document) }]
    })
  }

  /**
   * Upper bound for a document with this title: a mean is at most the largest share. Much cheaper
   * than the mean, whose weights are scattered over memory.
   *
   * @param pointsMin lower results make no difference: then no company is counted
   */
  #mostOf(
    slots: readonly VouchedSlot[],
    { segmentIndex, docOrd }: RankedDocument,
    pointsMin: number,
  ): number {
    let points = mostPointsOf(slots)
    if (points < pointsMin) return points
    const { titleWords } = this.#run.view.segments[segmentIndex]!.reader
    const count = titleWords.read(docOrd, titleGroups)
    for (const slot of slots) {
      const company = this.#companyOf(slot)
      let largest = 0
      for (let at = 0; at < count; at++) {
        largest = Math.max(largest, company.of(titleGroups[at]!))
      }
      points += pointsOf(slot, vouchedShare(largest, 1)) - pointsOf(slot, VOUCHING_SHARE_MAX)
      if (points < pointsMin) return points
    }
    return points
  }

  /** By slot: the share of the document's title. */
  #sharesOf(slots: readonly VouchedSlot[], { segmentIndex, docOrd }: RankedDocument): number[] {
    const { terms, titleCompanies, segments } = this.#run.view
    const companies = slots.map((slot) => this.#companyOf(slot))
    const count = segments[segmentIndex]!.reader.titleWords.read(docOrd, titleGroups)
    const sums = slots.map(() => 0)
    let weights = 0
    for (let at = 0; at < count; at++) {
      const word = titleGroups[at]!
      const weight = titleCompanies.weightOf(terms.titleDocFreq(word))
      weights += weight
      for (let i = 0; i < sums.length; i++) sums[i]! += weight * companies[i]!.of(word)
    }
    return sums.map((sum) => vouchedShare(sum, weights))
  }

  #companyOf(slot: VouchedSlot): SharesByGroup {
    return (slot.shares ??= titleCompanyOf(this.#run.view, slot.group, this.#run.plan.titleField))
  }

  /** The title words that vouch most, in the document's spelling. */
  #vouchers(slot: VouchedSlot, { segmentIndex, docOrd }: RankedDocument): string[] {
    const view = this.#run.view
    const shares = this.#companyOf(slot)
    const count = view.segments[segmentIndex]!.reader.titleWords.read(docOrd, titleGroups)
    return [...titleGroups.subarray(0, count)]
      .map((word) => ({
        word: this.#formIn(word, segmentIndex, docOrd),
        worth: view.titleCompanies.weightOf(view.terms.titleDocFreq(word)) * shares.of(word),
      }))
      .filter(({ worth }) => worth > 0)
      .sort((a, b) => b.worth - a.worth || compareCodePoints(a.word, b.word))
      .slice(0, VOUCHERS_NAMED_MAX)
      .map(({ word }) => word)
  }

  /** The first form of a group in the document, by code point. */
  #formIn(group: number, segmentIndex: number, docOrd: number): string {
    const { terms } = this.#run.view
    const { reader } = this.#run.view.segments[segmentIndex]!
    const list = reader.listOf(group)
    const mask = reader.formMask(list, reader.postingOf(list, docOrd))
    const forms = terms
      .formsOf(group)
      .filter((form) => (mask & (1 << terms.numberOf(form))) !== 0)
      .map((form) => terms.text(form))
    return forms.toSorted(compareCodePoints)[0]!
  }

  /** Whether a document has the word, as typed or as a nearly as good alternative. */
  #holds(vouched: VouchedSlot, { segmentIndex, docOrd }: RankedDocument): boolean {
    const segment = this.#run.view.segments[segmentIndex]!
    const { reader } = segment
    const evidence = (this.#evidence[segmentIndex] ??= this.#run.tables.of(segment).evidence)
    const lists = (vouched.lists[segmentIndex] ??= vouched.strong
      .map(({ group, quality }) => ({ list: reader.listOf(group), quality }))
      .filter(({ list }) => list >= 0)
      .map(({ list, quality }) => ({ opened: segment.listBits.opened(list), quality })))
    for (const { opened, quality } of lists) {
      const posting = opened.postingOf(docOrd)
      if (posting < 0 || evidence[reader.codes[posting]!] === 0) continue
      if (typeof quality === 'number') return true
      if (bestQuality(quality, reader.formMask(opened.list, posting)) >= WEIGHT_STRONG_MIN)
        return true
    }
    return vouched.slot.phrases.some(({ documents }) => {
      const { docOrds, quality } = documents[segmentIndex]!
      return quality >= WEIGHT_STRONG_MIN && docOrds.includes(docOrd)
    })
  }
}

function vouchedSlots(run: SearchRun, slots: readonly ResolvedSlot[]): VouchedSlot[] {
  const { view, plan } = run
  const known = slots.filter((slot) => slot.known)
  if (known.length < 2 || plan.titleField !== titleFieldOf(view.schema)) return []
  if (!ranksBy(plan, 'vouching')) return []
  return known.flatMap((slot) => {
    if (slot.slot.stopword) return []
    const group = slot.bonusGroups.find((one) => view.terms.titleDocFreq(one) > 0)
    if (group === undefined) return []
    const strong = slot.groups.filter(({ best }) => best >= WEIGHT_STRONG_MIN)
    const { best } = slot.groups.find((alternative) => alternative.group === group)!
    return [{ slot, group, quality: best, strong, lists: [], shares: undefined }]
  })
}

/** Maximum points that titles can earn for these words. */
export function mostPointsOf(slots: readonly VouchedSlot[]): number {
  let points = 0
  for (let i = 0; i < slots.length; i++) points += pointsOf(slots[i]!, VOUCHING_SHARE_MAX)
  return points
}

function pointsOf({ slot, quality }: VouchedSlot, share: number): number {
  return vouchedPoints(slot.weight, quality, share)
}
