import { GrowableF64, GrowableU32 } from '../../codec/growable.ts'
import type { EvidenceTables } from '../view/evidence-tables.ts'
import type { FoundRun, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { PhraseDocuments } from './resolved-slot.ts'
import { ANY_FORM, forEachRun } from './word-runs.ts'

/** Words side by side, over the whole index. */
export interface FoundPhrase {
  /** By segment; deleted documents included. */
  readonly documents: readonly PhraseDocuments[]
  /** Live documents. */
  readonly docFreq: number
  /** q as an alternative. */
  readonly quality: number
}

/** Phrases cached per view and set of field weights. */
const PHRASES_MAX = 4096

const phrasesByTables = new WeakMap<EvidenceTables, Map<string, FoundPhrase>>()

/** Scratch for the phrase documents of a segment, within one call. */
const docOrds = new GrowableU32(64)
const evidence = new GrowableF64(64)

const NOWHERE: FoundRun = {
  docOrds: new Uint32Array(),
  evidence: new Float32Array(),
  byteLength: 0,
}

/**
 * Documents with tokens of these stem groups side by side, in this order, in a searched field. The
 * evidence for the phrase is that for its weakest word.
 *
 * @param groups two or more
 * @param quality q of the phrase as an alternative
 * @param ownGroup documents with this group in a searched field are skipped; -1: no group
 */
export function findPhrase(
  run: SearchRun,
  groups: readonly number[],
  quality: number,
  ownGroup = -1,
): FoundPhrase {
  let phrases = phrasesByTables.get(run.tables)
  if (phrases === undefined) phrasesByTables.set(run.tables, (phrases = new Map()))
  const key = `${groups.join(' ')}-${ownGroup}`
  let phrase = phrases.get(key)
  if (phrase?.quality !== quality) {
    phrase = findInAll(run, groups, quality, ownGroup, key)
    if (phrases.size >= PHRASES_MAX) phrases.clear()
    phrases.set(key, phrase)
  }
  return phrase
}

function findInAll(
  run: SearchRun,
  groups: readonly number[],
  quality: number,
  ownGroup: number,
  key: string,
): FoundPhrase {
  let docFreq = 0
  const documents = run.view.segments.map((segment) => {
    const found = findIn(run, segment, groups, ownGroup, key)
    for (const docOrd of found.docOrds) if (segment.isLive(docOrd)) docFreq++
    return { docOrds: found.docOrds, evidence: found.evidence, quality }
  })
  return { documents, docFreq, quality }
}

/**
 * The same in one segment, cached: the halves of a rare word ("side light") may be frequent words,
 * and people repeat and page through rare words, too.
 */
function findIn(
  { tables, checkDeadline }: SearchRun,
  segment: SegmentView,
  groups: readonly number[],
  ownGroup: number,
  key: string,
): FoundRun {
  const { reader } = segment
  const lists = groups.map((group) => reader.listOf(group))
  if (lists.some((list) => list < 0)) return NOWHERE
  const table = tables.of(segment)
  const known = table.phrases.get(key)
  if (known !== undefined) return known
  const words = lists.map((list) => {
    return { list, formMask: ANY_FORM, bits: segment.listBits.made(list)?.bits }
  })
  const own = ownGroup < 0 ? -1 : reader.listOf(ownGroup)
  const hasOwn = (docOrd: number) => {
    const posting = own < 0 ? -1 : reader.postingOf(own, docOrd)
    return posting >= 0 && table.evidence[reader.codes[posting]!] !== 0
  }
  docOrds.length = 0
  evidence.length = 0
  const rule = { codes: table.searchedCodes, fields: table.fields, wholeValue: false }
  forEachRun(reader, words, rule, checkDeadline, (docOrd, phrase) => {
    const smallest = phrase.smallest(table.evidence)
    if (smallest === 0 || hasOwn(docOrd)) return
    docOrds.push(docOrd)
    evidence.push(smallest)
  })
  const found = {
    docOrds: docOrds.data.slice(0, docOrds.length),
    evidence: Float32Array.from(evidence.data.subarray(0, evidence.length)),
    byteLength: 8 * docOrds.length,
  }
  table.phrases.set(key, found)
  return found
}
