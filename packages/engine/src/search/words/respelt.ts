import { compareCodePoints } from '../../codec/code-points.ts'
import { neighboursOf } from '../../dictionary/term-walks.ts'
import type { QuerySlot } from '../../query/plan.ts'
import {
  CORRECTIONS_MAX,
  CORRECTIONS_NAMED_MAX,
  correctionScore,
  NEIGHBOUR_FREQUENCY_RATIO,
} from '../../scoring/corrections.ts'
import { editCost } from '../../scoring/edit-cost.ts'
import { WEIGHT_CORRECTION, WEIGHT_COUNTED_MIN } from '../../scoring/formula.ts'
import { LETTERS_ONLY, type Correction } from './corrections.ts'
import type { IndexView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import { findSplitPairs, type SplitPair } from './split-pairs.ts'

/**
 * Alternatives for two neighbouring words that are meant as one word, or split elsewhere: "Words
 * split in the wrong place" in docs/ranking.md.
 */
export interface Respelt {
  readonly pairs: readonly SplitPair[]
  /** Live documents of the most frequent pair; 0 if there is none. */
  readonly docFreq: number
  readonly corrections: readonly Correction[]
  /** Texts, best first. */
  readonly named: readonly string[]
}

/**
 * @param ownGroup stem group of the word, -1 if it has none
 * @param ownGroups `ownGroup` and the groups of its joined spellings
 */
export function findRespelt(
  run: SearchRun,
  { respelt }: QuerySlot,
  ownGroup: number,
  ownGroups: ReadonlySet<number>,
): Respelt {
  const { view } = run
  const spellings = respelt.filter((spelling) => mayBeMeant(view, spelling))
  const pairs = spellings.flatMap(({ splits }) =>
    findSplitPairs(run, splits, ownGroup, WEIGHT_CORRECTION),
  )
  const corrections = spellings.flatMap((spelling) => correctionsOf(view, spelling, ownGroups))
  const texts = [
    ...pairs.map(({ left, right }) => `${left} ${right}`),
    ...corrections.filter(({ quality }) => quality >= WEIGHT_COUNTED_MIN).map(({ text }) => text),
  ]
  const docFreq = Math.max(0, ...pairs.map((pair) => pair.docFreq))
  return { pairs, docFreq, corrections, named: texts.slice(0, CORRECTIONS_NAMED_MAX) }
}

/** Whether one of the typed words is in no document. */
export function mayBeMeant(view: IndexView, { words }: QuerySlot['respelt'][number]): boolean {
  return words.some((stem) => !isThere(view, stem))
}

function isThere({ terms }: IndexView, stem: string): boolean {
  const group = terms.find(stem)
  return group >= 0 && terms.groupDocFreq(group) > 0
}

function correctionsOf(
  { terms, trie, analyzer }: IndexView,
  { form: typed, stem, edits }: QuerySlot['respelt'][number],
  ownGroups: ReadonlySet<number>,
): Correction[] {
  if (edits === 0) return []
  const group = terms.find(stem)
  const docFreqMin = NEIGHBOUR_FREQUENCY_RATIO * (group < 0 ? 0 : terms.groupDocFreq(group))
  const candidates = []
  for (const { id } of neighboursOf(terms, trie, typed, edits)) {
    const docFreq = terms.formDocFreq(id)
    const other = terms.groupOf(id)
    if (docFreq < Math.max(1, docFreqMin) || other < 0) continue
    if (other === group || ownGroups.has(other)) continue
    const text = terms.text(id)
    if (!LETTERS_ONLY.test(text) || analyzer.isStopword(text)) continue
    const cost = editCost(typed, text)
    candidates.push({
      form: id,
      group: other,
      text,
      score: correctionScore(cost, docFreq),
      cost,
    })
  }
  candidates.sort((a, b) => b.score - a.score || compareCodePoints(a.text, b.text))
  const best = candidates[0]?.score ?? 0
  return candidates.slice(0, CORRECTIONS_MAX).map((word) => ({
    ...word,
    quality: WEIGHT_CORRECTION * Math.exp(word.score - best),
  }))
}
