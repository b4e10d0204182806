import type { SectionWriter } from '../codec/section-file.ts'
import type { TermWriter } from '../dictionary/term-store.ts'
import { ImpactTable } from '../postings/impact-table.ts'
import { writePositions } from '../postings/positions.ts'
import type { PostingsWriter } from '../postings/postings-writer.ts'
import { impactOf, lengthStep } from '../scoring/formula.ts'
import type { OccurrenceLog } from './occurrence-log.ts'

/** The forms of a batch in the dictionary of the index. All arrays are by number in the batch. */
export interface KnownForms {
  /** Ids in the dictionary. */
  readonly ids: Uint32Array
  readonly groups: Uint32Array
  /** Number of the form within its group. */
  readonly numbers: Uint8Array
}

/** (form id, documents) and (group, documents) pairs, concatenated. */
export interface DocFreqs {
  readonly formDocFreqs: Uint32Array
  readonly groupDocFreqs: Uint32Array
}

/** Occurrences whose lists are written in one step. */
const STEP_OCCURRENCES = 2_048

/** Adds the forms that are new to the dictionary, in the order of their numbers, in steps. */
export function* internForms(
  { batch }: OccurrenceLog,
  terms: TermWriter,
  stem: (form: string) => string,
): Generator<void, KnownForms> {
  const ids = yield* terms.internBatch(batch, stem)
  const groups = new Uint32Array(ids.length)
  const numbers = new Uint8Array(ids.length)
  for (let form = 0; form < ids.length; form++) {
    groups[form] = terms.groupOf(ids[form]!)
    numbers[form] = terms.numberOf(ids[form]!)
  }
  return { ids, groups, numbers }
}

/**
 * Writes the posting lists of a batch in steps: a counting sort groups the occurrences, and one
 * pass writes the lists.
 *
 * @param lengths by searchable field of the segment: its length in tokens by docOrd
 */
export function* writePostingLists(
  log: OccurrenceLog,
  forms: KnownForms,
  lengths: readonly Uint32Array[],
  writer: PostingsWriter,
  sections: SectionWriter,
): Generator<void, DocFreqs> {
  const { groups, starts } = sortByGroup(log, forms.groups)
  yield
  const lists = new ListWriting(log, forms, lengths, writer)
  const groupDocFreqs = new Uint32Array(groups.length * 2)
  for (let g = 0, stepEnd = STEP_OCCURRENCES; g < groups.length; g++) {
    groupDocFreqs[g * 2] = groups[g]!
    groupDocFreqs[g * 2 + 1] = writeList(lists, groups[g]!, starts[g]!, starts[g + 1]!)
    if (starts[g + 1]! < stepEnd) continue
    stepEnd = starts[g + 1]! + STEP_OCCURRENCES
    yield
  }
  writer.finish(sections)
  yield
  sections.add('impacts', lists.impacts.bytes())

  const { ids } = forms
  const formDocFreqs = new Uint32Array(ids.length * 2)
  for (let form = 0; form < ids.length; form++) {
    formDocFreqs[form * 2] = ids[form]!
    formDocFreqs[form * 2 + 1] = lists.formDocs[form]!
  }
  return { formDocFreqs, groupDocFreqs }
}

/**
 * A stable counting sort into `log.order`: by group, ascending; within a group in the order of the
 * log.
 */
function sortByGroup(
  log: OccurrenceLog,
  groupOf: Uint32Array,
): { groups: Uint32Array; starts: Uint32Array } {
  const { length, forms, order } = log
  const groups = groupOf.toSorted()
  let count = 0
  for (let i = 0; i < groups.length; i++) {
    if (i === 0 || groups[i] !== groups[i - 1]) groups[count++] = groups[i]!
  }
  const distinct = groups.subarray(0, count)
  const rankOf = groupOf.map((group) => rankIn(distinct, group))
  const starts = new Uint32Array(count + 1)
  for (let i = 0; i < length; i++) starts[rankOf[forms[i]!]! + 1]!++
  for (let g = 0; g < count; g++) starts[g + 1]! += starts[g]!
  const next = starts.slice(0, count)
  for (let i = 0; i < length; i++) order[next[rankOf[forms[i]!]!]!++] = i
  return { groups: distinct, starts }
}

/** Index of a number in an ascending array that contains it. */
function rankIn(sorted: Uint32Array, number: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < number) low = middle + 1
    else high = middle
  }
  return low
}

/** State for writing lists. */
class ListWriting {
  readonly log: OccurrenceLog
  readonly numbers: Uint8Array
  readonly writer: PostingsWriter
  readonly width: number
  readonly impacts: ImpactTable
  /** `lengthStep` of field f of a document, at `docOrd * width + f`. */
  readonly lengthSteps: Uint8Array
  /** By form of the batch: number of documents with it. */
  readonly formDocs: Uint32Array
  readonly posting: PostingScratch
  /** Code of the tuple with only this field, at `field * 256 + impact`; 0 = not computed yet. */
  readonly codesOfOne: Uint32Array

  constructor(
    log: OccurrenceLog,
    { ids, numbers }: KnownForms,
    lengths: readonly Uint32Array[],
    writer: PostingsWriter,
  ) {
    this.log = log
    this.numbers = numbers
    this.writer = writer
    this.width = lengths.length
    this.impacts = new ImpactTable(lengths.length)
    this.lengthSteps = new Uint8Array(lengths.length * (lengths[0]?.length ?? 0))
    lengths.forEach((column, field) => {
      for (let docOrd = 0; docOrd < column.length; docOrd++) {
        this.lengthSteps[docOrd * lengths.length + field] = lengthStep(column[docOrd]!)
      }
    })
    this.formDocs = new Uint32Array(ids.length)
    this.posting = new PostingScratch(lengths.length)
    this.codesOfOne = new Uint32Array(lengths.length * 256)
  }
}

/**
 * Writes the list of one group, whose occurrences are `log.order[from .. to)`. A separate
 * function, because V8 would compile an inner loop while it runs and discard the result at the end
 * of each list.
 *
 * @returns number of documents in the list
 */
function writeList(lists: ListWriting, group: number, from: number, to: number): number {
  const { log, writer, posting } = lists
  writer.beginList(group)
  let postings = 0
  let i = from
  while (i < to) {
    const docOrd = log.docs[log.order[i]!]!
    i = gatherPosting(lists, i, to)
    const { mask, fields, positions, forms, ends, count } = posting
    const output = writer.addPosting(docOrd, impactCode(lists, docOrd), mask)
    writePositions(output, fields, positions, forms, ends, count, (mask & (mask - 1)) !== 0)
    postings++
  }
  writer.endList()
  return postings
}

/** The code of the gathered posting's impacts. */
function impactCode(lists: ListWriting, docOrd: number): number {
  const { posting, width, lengthSteps, impacts, codesOfOne } = lists
  const { fields, count, termFreqs, tuple } = posting
  const first = fields[0]!
  // Fields ascend: if the last equals the first, there is only one.
  if (fields[count - 1] === first) {
    const impact = impactOf(count, lengthSteps[docOrd * width + first]!)
    const known = codesOfOne[first * 256 + impact]!
    if (known !== 0) return known - 1
    tuple.fill(0)
    tuple[first] = impact
    const code = impacts.codeOf(tuple, 0)
    codesOfOne[first * 256 + impact] = code + 1
    return code
  }
  termFreqs.fill(0)
  for (let i = 0; i < count; i++) termFreqs[fields[i]!]!++
  for (let field = 0; field < width; field++) {
    const termFreq = termFreqs[field]!
    tuple[field] = termFreq === 0 ? 0 : impactOf(termFreq, lengthSteps[docOrd * width + field]!)
  }
  return impacts.codeOf(tuple, 0)
}

/** The occurrences of one group in one document, collected before writing. */
class PostingScratch {
  mask = 0
  count = 0
  fields = new Uint32Array(64)
  positions = new Uint32Array(64)
  forms = new Uint32Array(64)
  ends = new Uint8Array(64)
  readonly termFreqs: Uint32Array
  readonly tuple: Uint8Array

  constructor(width: number) {
    this.termFreqs = new Uint32Array(width)
    this.tuple = new Uint8Array(Math.max(1, width))
  }

  grow(): void {
    this.fields = grown(this.fields)
    this.positions = grown(this.positions)
    this.forms = grown(this.forms)
    const ends = new Uint8Array(this.fields.length)
    ends.set(this.ends)
    this.ends = ends
  }
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}

/**
 * Collects the occurrences from `log.order[from]` on that are in the same document; returns the
 * index after them.
 */
function gatherPosting(lists: ListWriting, from: number, end: number): number {
  const { log, numbers, formDocs, posting } = lists
  const { docs, order, forms } = log
  const docOrd = docs[order[from]!]!
  let count = 0
  let mask = 0
  let i = from
  for (; i < end; i++) {
    const occurrence = order[i]!
    if (docs[occurrence] !== docOrd) break
    const form = forms[occurrence]!
    const number = numbers[form]!
    if ((mask & (1 << number)) === 0) {
      mask |= 1 << number
      formDocs[form]!++
    }
    if (count === posting.fields.length) posting.grow()
    posting.fields[count] = log.textFields[occurrence]!
    posting.positions[count] = log.positions[occurrence]!
    posting.ends[count] = log.ends[occurrence]!
    posting.forms[count++] = number
  }
  posting.mask = mask
  posting.count = count
  return i
}
