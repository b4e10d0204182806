import { andInto, fillBits, newBitset, setBit } from '../../codec/bitset.ts'
import type { Phrase, PlannedWord, SearchPlan } from '../../query/plan.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import { pause, type Steps } from '../view/steps.ts'
import type { RunRule, RunWord } from '../words/word-runs.ts'
import { ANY_FORM, forEachRun } from '../words/word-runs.ts'

/**
 * "Phrases and exclusions" in docs/ranking.md.
 *
 * @returns live documents of a segment that meet the conditions of the plan; undefined if all do
 */
export function allowedDocuments(run: SearchRun, segment: SegmentView): Uint32Array | undefined {
  const { plan } = run
  if (!hasConditions(plan)) return segment.live
  const { docCount } = segment.reader
  const allowed = segment.live?.slice() ?? newBitset(docCount)
  if (segment.live === undefined) fillBits(allowed, docCount)
  const bitsOf = (phrase: Phrase) => phraseDocuments(run, segment, phrase)
  for (const phrase of plan.phrases) andInto(allowed, bitsOf(phrase))
  for (const phrase of plan.exclusions) {
    const excluded = bitsOf(phrase)
    for (let i = 0; i < allowed.length; i++) allowed[i]! &= ~excluded[i]!
  }
  return allowed
}

/** The same in steps: it may yield after each phrase. */
export function* allowedDocumentsInSteps(
  run: SearchRun,
  segment: SegmentView,
): Steps<Uint32Array | undefined> {
  for (const phrase of [...run.plan.phrases, ...run.plan.exclusions]) {
    phraseDocuments(run, segment, phrase)
    yield* pause(run)
  }
  return allowedDocuments(run, segment)
}

/** Whether the plan has phrases or exclusions. */
export function hasConditions({ phrases, exclusions }: SearchPlan): boolean {
  return phrases.length > 0 || exclusions.length > 0
}

/**
 * Documents with a phrase, deleted ones included. Cached per segment, because paging and further
 * typing repeat the phrase.
 */
function phraseDocuments(
  run: SearchRun,
  segment: SegmentView,
  { spellings, inflected }: Phrase,
): Uint32Array {
  const { view, checkDeadline } = run
  const { fields, searchedCodes: codes } = run.tables.of(segment)
  const texts = spellings.map((words) =>
    words.map(({ form, stem }) => (inflected ? stem : form)).join('\n'),
  )
  const key = `"${inflected ? '~' : ''}${texts.join('\n\n')}" ${fields.join('')}`
  const known = segment.wordBits.get(key)
  if (known !== undefined) return known
  const bits = segment.emptyBits()
  const rule: RunRule = { codes, fields, wholeValue: false }
  for (const words of spellings) {
    const found = runWords(view, segment, words, inflected)
    if (found === undefined) continue
    forEachRun(segment.reader, found, rule, checkDeadline, (docOrd) => setBit(bits, docOrd))
  }
  segment.wordBits.set(key, bits)
  return bits
}

/** The posting lists of words; undefined if the segment lacks one of them. */
function runWords(
  { terms }: IndexView,
  { reader }: SegmentView,
  words: readonly Pick<PlannedWord, 'form' | 'stem'>[],
  inflected: boolean,
): RunWord[] | undefined {
  const run: RunWord[] = []
  for (const { form, stem } of words) {
    const id = terms.find(inflected ? stem : form)
    const group = id < 0 || inflected ? id : terms.groupOf(id)
    const list = group < 0 ? -1 : reader.listOf(group)
    if (list < 0) return undefined
    run.push({ list, formMask: inflected ? ANY_FORM : 1 << terms.numberOf(id) })
  }
  return run
}
