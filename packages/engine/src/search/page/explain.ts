import { onceField, ranksLeading } from '../../query/once-field.ts'
import { hasBit } from '../../codec/bitset.ts'
import { compareCodePoints } from '../../codec/code-points.ts'
import type {
  AlternativeExplanation,
  FieldExplanation,
  ScoreExplanation,
  SlotExplanation,
} from '../../query/explanation.ts'
import { compareAlternatives, scoreOf, typoCost } from '../../query/explanation.ts'
import { variantOf } from '../../query/alternative-variant.ts'
import {
  countedMin,
  EXACT_VALUE_STEP,
  countedImpact,
  fieldEvidence,
  impactLength,
  impactTermFreq,
  INFIX_EVIDENCE,
  saturate,
  SHORT_PREFIX_EVIDENCE,
  slotPoints,
  TIER_STEP,
  WEIGHT_INFIX,
  WEIGHT_STRONG_MIN,
} from '../../scoring/formula.ts'
import type { Boosts } from '../model/boosts.ts'
import { ExactValues } from '../model/exact-values.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { Bonus } from './bonus.ts'
import type { RankedDocument } from './rescorer.ts'
import type { GroupAlternative, ResolvedSlot } from '../words/resolved-slot.ts'
import { gatherOne } from '../score/score-kernels.ts'
import { shortPrefixBits } from '../filters/word-bits.ts'

type Alternative = Omit<AlternativeExplanation, 'counted'>

/**
 * Explains the scores of a page's hits, with the tables and functions that computed them. Works
 * document by document, while scoring works list by list; comparing the sums checks that both
 * agree.
 */
export class ScoreExplainer {
  readonly #run: SearchRun
  readonly #slots: readonly ResolvedSlot[]
  readonly #bonus: Bonus
  readonly #boosts: Boosts
  readonly #exactValues: ExactValues

  constructor(run: SearchRun, slots: readonly ResolvedSlot[], bonus: Bonus, boosts: Boosts) {
    this.#run = run
    this.#slots = slots
    this.#bonus = bonus
    this.#boosts = boosts
    this.#exactValues = new ExactValues(run)
  }

  explain(hit: RankedDocument): ScoreExplanation {
    const { segmentIndex, docOrd } = hit
    const boost = this.#boosts.explain(segmentIndex, docOrd)
    const none = { tier: 0, exactValue: 0, slots: [], pairs: [] }
    if (this.#slots.length === 0) return { ...none, ...boost }
    const slots = this.#slots.map((slot) => this.#explainSlot(slot, hit))
    const hasAll = slots.every(
      ({ known, stopword, quality }, i) =>
        !known || stopword || quality >= countedMin(this.#slots[i]!.hasNeighbours),
    )
    const explanation = {
      tier: hasAll ? TIER_STEP : 0,
      exactValue: hasAll && this.#isExact(hit) ? EXACT_VALUE_STEP : 0,
      slots,
      pairs: [],
      ...(ranksLeading(this.#run.plan) ? { leading: [] } : {}),
      ...boost,
    }
    // Only the best documents get a bonus. A difference between the sums shows that this one did.
    if (scoreOf(explanation) === hit.score) return explanation
    return this.#bonus.explain(hit, explanation)
  }

  #isExact({ segmentIndex, docOrd }: RankedDocument): boolean {
    const exact = this.#exactValues.in(this.#run.view.segments[segmentIndex]!)
    return exact?.has(docOrd) === true
  }

  #explainSlot(resolved: ResolvedSlot, hit: RankedDocument): SlotExplanation {
    const { slot, known, docFreq, weight } = resolved
    const found = known ? this.#alternativesOf(resolved, hit) : []
    const sum = new Float64Array(1)
    const best = new Float64Array(1)
    for (const { evidence, quality } of found) gatherOne(0, evidence, quality, sum, best)
    const quality = best[0]!
    const saturation = saturate(sum[0]!)
    const alternatives = found.map((alternative): AlternativeExplanation => ({
      ...alternative,
      counted: alternative.quality >= WEIGHT_STRONG_MIN || quality < WEIGHT_STRONG_MIN,
    }))
    return {
      form: slot.form,
      known,
      stopword: slot.stopword,
      docFreq,
      weight,
      quality,
      evidence: sum[0]!,
      saturation,
      points: slotPoints(weight, quality, saturation),
      alternatives: alternatives.toSorted(compareAlternatives),
    }
  }

  #alternativesOf(resolved: ResolvedSlot, { segmentIndex, docOrd }: RankedDocument): Alternative[] {
    const segment = this.#run.view.segments[segmentIndex]!
    const found: Alternative[] = []
    for (const group of resolved.groups) {
      const alternative = this.#groupIn(resolved, group, segment, docOrd)
      if (alternative !== undefined) found.push(alternative)
    }
    for (const { variant, words, documents } of resolved.phrases) {
      const { docOrds, evidence, quality } = documents[segmentIndex]!
      const at = docOrds.indexOf(docOrd)
      if (at < 0) continue
      found.push({ variant, forms: words, fields: [], quality, evidence: evidence[at]! })
    }
    if (resolved.shortPrefix !== undefined && this.#hasShortPrefix(resolved, segment, docOrd)) {
      const { quality } = resolved.shortPrefix
      const words = { variant: 'prefix' as const, forms: [], fields: [] }
      found.push({ ...words, quality, evidence: SHORT_PREFIX_EVIDENCE })
    }
    const inside = found.length > 0 ? [] : this.#formsInside(resolved, segment, docOrd)
    if (inside.length > 0) {
      const words = { variant: 'infix' as const, forms: inside, fields: [] }
      found.push({ ...words, quality: WEIGHT_INFIX, evidence: INFIX_EVIDENCE })
    }
    return found
  }

  /** The forms of a document that contain the word. */
  #formsInside({ infix }: ResolvedSlot, segment: SegmentView, docOrd: number): string[] {
    const { reader } = segment
    const { terms } = this.#run.view
    const { evidence } = this.#run.tables.of(segment)
    const isHeld = (form: number) => {
      const list = reader.listOf(terms.groupOf(form))
      const posting = list < 0 ? -1 : reader.postingOf(list, docOrd)
      if (posting < 0 || evidence[reader.codes[posting]!] === 0) return false
      return (reader.formMask(list, posting) & (1 << terms.numberOf(form))) !== 0
    }
    const held = (infix?.forms ?? []).filter(isHeld).map((form) => terms.text(form))
    this.#run.checkDeadline()
    return held.toSorted(compareCodePoints)
  }

  #hasShortPrefix({ slot, shortPrefix }: ResolvedSlot, segment: SegmentView, docOrd: number) {
    const { prefix } = shortPrefix!
    return hasBit(shortPrefixBits(this.#run, segment, prefix, slot.stem), docOrd)
  }

  #groupIn(
    { slot, hasNeighbours, typoCosts }: ResolvedSlot,
    { group, quality }: GroupAlternative,
    segment: SegmentView,
    docOrd: number,
  ): Alternative | undefined {
    const { terms } = this.#run.view
    const { reader } = segment
    const list = reader.listOf(group)
    const posting = list < 0 ? -1 : reader.postingOf(list, docOrd)
    if (posting < 0) return undefined
    const evidence = this.#run.tables.of(segment).evidence[reader.codes[posting]!]!
    if (evidence === 0) return undefined
    const mask = reader.formMask(list, posting)
    const forms = terms
      .formsOf(group)
      .filter((form) => (mask & (1 << terms.numberOf(form))) !== 0)
      .map((form) => ({
        text: terms.text(form),
        q: typeof quality === 'number' ? quality : quality[terms.numberOf(form)]!,
      }))
      .filter(({ q }) => q > 0)
      .toSorted((a, b) => b.q - a.q || compareCodePoints(a.text, b.text))
    const best = forms[0]
    if (best === undefined) return undefined
    const word = { form: best.text, stem: terms.text(group) }
    const variant = variantOf(slot, word, best.q, hasNeighbours)
    return {
      variant,
      ...typoCost(variant, typoCosts.get(group)),
      forms: forms.map(({ text }) => text),
      quality: best.q,
      evidence,
      fields: this.#fieldsOf(segment, posting),
    }
  }

  #fieldsOf({ reader }: SegmentView, posting: number): FieldExplanation[] {
    const { fieldWeights, lengthNorms } = this.#run.plan
    const { textFields, impacts } = reader
    const tuple = reader.codes[posting]! * textFields.length
    return textFields.flatMap((field, textField): FieldExplanation[] => {
      const impact = countedImpact(impacts[tuple + textField]!, field === onceField(this.#run.plan))
      const weight = fieldWeights[field] ?? 0
      if (impact === 0 || weight === 0) return []
      const lengthNorm = lengthNorms[field] ?? 0
      const averageLength = this.#run.view.averageLengths[field] ?? 1
      return [
        {
          field,
          weight,
          termFreq: impactTermFreq(impact),
          length: impactLength(impact),
          averageLength,
          lengthNorm,
          evidence: fieldEvidence(impact, weight, lengthNorm, averageLength),
        },
      ]
    })
  }
}
