import { compareCodePoints } from '../../codec/code-points.ts'
import { andInto, hasBit, popcount, setBit } from '../../codec/bitset.ts'
import { idsBegunBy } from '../../dictionary/term-walks.ts'
import { COMPLETION_CANDIDATES_MAX } from '../../query/completion.ts'
import type { Completion, CompletionOutcome, CompletionRequest } from '../../query/completion.ts'
import { DeadlineReached } from '../view/deadline.ts'
import { EvidenceTables } from '../view/evidence-tables.ts'
import { allowedDocumentsInSteps } from '../filters/conditions.ts'
import type { EvidenceTable, SegmentView } from '../view/index-view.ts'
import type { OpenedList } from '../view/list-bits.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { Steps } from '../view/steps.ts'
import { allowedBits } from '../filters/filterable-segment.ts'
import { documentsWithForms } from '../filters/form-union.ts'
import { ANY_FORM } from '../words/word-runs.ts'

/** Forms visited between two deadline checks. */
const FORMS_PER_CHECK = 4096
/** A list this many times longer than the set of documents is searched instead of scanned. */
const SEARCH_RATIO = 16

/**
 * Up to this many documents of the rarest word are looked up one by one, most of them in cached
 * bitsets of words: faster than reading and intersecting the lists of a million documents.
 */
const LOOKED_UP_MAX = 8192

/** "Completions" in docs/ranking.md. Yields when a turn is over. */
export function* findCompletions(
  run: SearchRun,
  request: CompletionRequest,
): Steps<CompletionOutcome> {
  const { view } = run
  const best: Completion[] = []
  let docCount = 0
  try {
    const company = new Company(run, request)
    yield* company.gather(request)
    docCount = company.docCount
    if (request.prefix === undefined || docCount === 0) {
      return { docCount, completions: [], cutoff: false }
    }
    const groups = new Set(request.words.flat().map((stem) => view.terms.find(stem)))
    const candidates = yield* candidatesOf(run, request.prefix, groups)
    for (const { form, group, docFreq } of candidates) {
      if (run.isTurnOver()) yield
      // Candidates are ordered by document frequency, and counts together with other words are
      // never higher.
      if (best.length === request.limit && docFreq < (best.at(-1)?.docCount ?? 0)) break
      const together = company.countWith(group)
      if (together === 0) continue
      best.push({ form, docCount: together })
      best.sort((a, b) => b.docCount - a.docCount || compareCodePoints(a.form, b.form))
      if (best.length > request.limit) best.pop()
    }
    return { docCount, completions: best, cutoff: false }
  } catch (error) {
    if (!(error instanceof DeadlineReached)) throw error
    return { docCount, completions: best, cutoff: true }
  }
}

interface Candidate {
  readonly group: number
  readonly docFreq: number
  form: string
  formDocFreq: number
}

/**
 * The most frequent stem groups with a form of this prefix, in order, each with its most frequent
 * such form.
 *
 * @param excluded groups already listed
 */
function* candidatesOf(
  run: SearchRun,
  prefix: string,
  excluded: ReadonlySet<number>,
): Steps<Candidate[]> {
  const { checkDeadline, isTurnOver } = run
  const { terms, analyzer } = run.view
  const byGroup = new Map<number, Candidate>()
  // A less frequent group is no longer among the first. Frequent groups raise this quickly.
  let docFreqMin = 1
  const keepFirst = (): void => {
    const kept = [...byGroup.values()].sort(byDocFreq)
    // One more than needed, because the group of the typed form may be among them.
    docFreqMin = kept[COMPLETION_CANDIDATES_MAX]?.docFreq ?? 1
    for (const [group, { docFreq }] of byGroup) if (docFreq < docFreqMin) byGroup.delete(group)
  }
  let seen = 0
  for (const id of idsBegunBy(run.view, prefix)) {
    if (++seen % FORMS_PER_CHECK === 0) {
      checkDeadline()
      if (isTurnOver()) yield
    }
    const group = terms.groupOf(id)
    if (group < 0) continue
    const docFreq = terms.groupDocFreq(group)
    if (docFreq < docFreqMin || excluded.has(group)) continue
    const formDocFreq = terms.formDocFreq(id)
    if (formDocFreq === 0) continue
    const known = byGroup.get(group)
    if (known !== undefined && formDocFreq < known.formDocFreq) continue
    const form = terms.text(id)
    if (analyzer.isStopword(form)) continue
    if (known === undefined) byGroup.set(group, { group, docFreq, form, formDocFreq })
    else if (formDocFreq > known.formDocFreq || compareCodePoints(form, known.form) < 0) {
      known.form = form
      known.formDocFreq = formDocFreq
    }
    if (byGroup.size >= 4 * COMPLETION_CANDIDATES_MAX) keepFirst()
  }
  return [...byGroup.values()]
    .filter(({ form }) => form !== prefix)
    .sort(byDocFreq)
    .slice(0, COMPLETION_CANDIDATES_MAX)
}

function byDocFreq(a: Candidate, b: Candidate): number {
  return b.docFreq - a.docFreq || compareCodePoints(a.form, b.form)
}

/**
 * The documents that match the filter, the conditions and all words of a request, as one bitset per
 * segment.
 */
class Company {
  docCount = 0
  readonly #run: SearchRun
  readonly #tables: EvidenceTables
  /** Undefined: every document of the segment. */
  readonly #bits: { readonly bits: Uint32Array | undefined; readonly count: number }[] = []

  constructor(run: SearchRun, { fields }: CompletionRequest) {
    const { view, plan } = run
    this.#run = run
    const fieldWeights =
      fields === undefined
        ? plan.fieldWeights
        : plan.fieldWeights.map((weight, field) => (fields[field] === true ? weight : 0))
    this.#tables = EvidenceTables.for(view, {
      fieldWeights,
      lengthNorms: plan.lengthNorms,
    })
  }

  /** Call once, first. */
  *gather({ words, prefix, countMax = Infinity }: CompletionRequest): Steps {
    const run = this.#run
    const { view, plan } = run
    const groups = words.map((stems) =>
      stems.map((stem) => view.terms.find(stem)).filter((group) => group >= 0),
    )
    // Without a prefix, only the count is needed.
    const isCounting = prefix === undefined
    let docCount = 0
    for (const segment of view.segments) {
      if (isCounting && docCount >= countMax) break
      if (run.isTurnOver()) yield
      const allowed = yield* allowedDocumentsInSteps(run, segment)
      const matching = yield* allowedBits(run, segment, plan.filter, allowed)
      const few = isCounting
        ? this.#countFew(segment, groups, matching, countMax - docCount)
        : undefined
      const bits = few === undefined ? yield* this.#companyIn(segment, groups, matching) : undefined
      const count = few ?? (bits === undefined ? segment.reader.docCount : popcount(bits))
      docCount += count
      this.#bits.push({ bits, count })
    }
    this.docCount = isCounting ? Math.min(docCount, countMax) : docCount
  }

  /** Number of documents of the company with a group in a searched field. */
  countWith(group: number): number {
    let total = 0
    this.#run.view.segments.forEach((segment, i) => {
      const { bits, count } = this.#bits[i]!
      const { reader } = segment
      const list = reader.listOf(group)
      if (list < 0 || count === 0) return
      this.#run.checkDeadline()
      const { evidence } = this.#tables.of(segment)
      const length = reader.listPosting[list + 1]! - reader.listPosting[list]!
      if (bits !== undefined && count * SEARCH_RATIO < length) {
        forEachBit(bits, (docOrd) => {
          const posting = reader.postingOf(list, docOrd)
          if (posting >= 0 && evidence[reader.codes[posting]!]! > 0) total++
        })
        return
      }
      reader.forEachPosting(list, (docOrd, posting) => {
        if (bits !== undefined && !hasBit(bits, docOrd)) return
        if (evidence[reader.codes[posting]!]! > 0) total++
      })
    })
    return total
  }

  /**
   * The number of documents with all words, if the rarest word has few documents, or if enough are
   * found soon: looks up its documents in the lists of the others one by one, without touching any
   * other bit of the segment.
   *
   * @param matching live documents that match the filter
   * @param enough stops counting here
   * @returns undefined if it has many
   */
  #countFew(
    segment: SegmentView,
    words: readonly (readonly number[])[],
    matching: Uint32Array | undefined,
    enough: number,
  ): number | undefined {
    const { reader } = segment
    const lists = words
      .map((groups) => groups.map((group) => reader.listOf(group)).filter((list) => list >= 0))
      .toSorted((a, b) => lengthOf(reader, a) - lengthOf(reader, b))
    const [rarest, ...others] = lists
    if (rarest === undefined) return undefined
    const looks = lengthOf(reader, rarest)
    if (enough === Infinity && looks > LOOKED_UP_MAX) return undefined
    const table = this.#tables.of(segment)
    const holders = others.map((one) => new Holder(segment, one, table, looks))
    let count = 0
    let looksLeft = LOOKED_UP_MAX
    const isOver = rarest.some((list, i) => {
      // A document may be in several lists of the word.
      const before = new Holder(segment, rarest.slice(0, i), table, 0)
      return reader.somePosting(list, (docOrd, posting) => {
        if (count >= enough || looksLeft-- === 0) return true
        if (matching !== undefined && !hasBit(matching, docOrd)) return false
        if (table.evidence[reader.codes[posting]!]! === 0) return false
        if (before.has(docOrd)) return false
        if (holders.every((one) => one.has(docOrd))) count++
        return false
      })
    })
    this.#run.checkDeadline()
    return isOver && count < enough ? undefined : count
  }

  /**
   * Starts with the rarest word and looks up the remaining documents in longer lists, which need
   * not be read.
   *
   * @param matching live documents that match the filter
   */
  *#companyIn(
    segment: SegmentView,
    words: readonly (readonly number[])[],
    matching: Uint32Array | undefined,
  ): Steps<Uint32Array | undefined> {
    const { reader } = segment
    const table = this.#tables.of(segment)
    const rarestFirst = words
      .map((groups) => ({ groups, size: postingsOf(reader, groups) }))
      .toSorted((a, b) => a.size - b.size)
    let all = matching
    let count = Infinity
    for (const { groups, size } of rarestFirst) {
      this.#run.checkDeadline()
      if (this.#run.isTurnOver()) yield
      const before = all
      if (before !== undefined && count * SEARCH_RATIO < size) {
        all = segment.emptyBits()
        addHolders(segment, groups, table, before, count, all)
      } else {
        const masks = new Map(groups.map((group) => [group, ANY_FORM]))
        all = documentsWithForms(this.#run, segment, masks, table)
        if (before !== undefined) andInto(all, before)
      }
      count = popcount(all)
      if (count === 0) break
    }
    return all
  }
}

function postingsOf(reader: SegmentView['reader'], groups: readonly number[]): number {
  return lengthOf(
    reader,
    groups.map((group) => reader.listOf(group)).filter((list) => list >= 0),
  )
}

function lengthOf({ listPosting }: SegmentView['reader'], lists: readonly number[]): number {
  return lists.reduce((sum, list) => sum + listPosting[list + 1]! - listPosting[list]!, 0)
}

/** Tests which documents are in one of these lists with a searched field. */
class Holder {
  readonly #segment: SegmentView
  readonly #lists: readonly {
    readonly opened: OpenedList
    readonly bits: Uint32Array | undefined
  }[]
  readonly #table: EvidenceTable

  /** @param looks number of documents to test: with many, the long lists become bitsets */
  constructor(segment: SegmentView, lists: readonly number[], table: EvidenceTable, looks: number) {
    this.#segment = segment
    this.#table = table
    const { reader, listBits } = segment
    this.#lists = lists.map((list) => {
      const isWorthIt = looks * SEARCH_RATIO >= lengthOf(reader, [list])
      const bits = isWorthIt ? listBits.of(list) : listBits.made(list)
      return { opened: listBits.opened(list), bits: bits?.bits }
    })
  }

  has(docOrd: number): boolean {
    const { reader } = this.#segment
    const { evidence, isAllSearched } = this.#table
    for (const { opened, bits } of this.#lists) {
      if (bits !== undefined) {
        if (!hasBit(bits, docOrd)) continue
        if (isAllSearched) return true
      }
      const posting = opened.postingOf(docOrd)
      if (posting >= 0 && evidence[reader.codes[posting]!]! > 0) return true
    }
    return false
  }
}

/** Adds the documents that have one of the groups in a searched field. */
function addHolders(
  segment: SegmentView,
  groups: readonly number[],
  table: EvidenceTable,
  documents: Uint32Array,
  count: number,
  holders: Uint32Array,
): void {
  const lists = groups.map((group) => segment.reader.listOf(group)).filter((list) => list >= 0)
  const holder = new Holder(segment, lists, table, count)
  forEachBit(documents, (docOrd) => {
    if (holder.has(docOrd)) setBit(holders, docOrd)
  })
}

function forEachBit(bits: Uint32Array, visit: (index: number) => void): void {
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      visit((word << 5) + 31 - Math.clz32(rest & -rest))
    }
  }
}
