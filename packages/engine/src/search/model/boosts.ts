import { hasBit, newBitset, orInto } from '../../codec/bitset.ts'
import type {
  BoostExplanation,
  PersonalExplanation,
  ScoreExplanation,
} from '../../query/explanation.ts'
import type { FilterNode } from '../../query/filter.ts'
import type { PlannedPersonal } from '../../query/personal.ts'
import type { SearchPlan } from '../../query/plan.ts'
import { boostedPoints, boostFactor, TIER_STEP } from '../../scoring/formula.ts'
import { personalFactor } from '../../scoring/personal.ts'
import type { Learning } from './learning.ts'
import type { NumericRank } from './numeric-rank.ts'
import type { Popularity } from './popularity.ts'

/** Documents of a segment, by its number, that match a filter. May be shared: do not modify. */
export type EvaluateFilter = (filter: FilterNode, segmentIndex: number) => Uint32Array

/**
 * "Boosts", "Personal", "Popularity", "A shop's own number" and "Learning" in docs/ranking.md: the
 * factors on the points of documents.
 */
export class Boosts {
  readonly #boosts: SearchPlan['boosts']
  readonly #personal: PlannedPersonal | undefined
  readonly #evaluate: EvaluateFilter
  /** By segment, computed on demand: documents that match each boost. */
  readonly #bits: (readonly Uint32Array[] | undefined)[] = []
  /** The same for the lifts of the visitor. */
  readonly #liftBits: (readonly Uint32Array[] | undefined)[] = []
  readonly #popularity: Popularity | undefined
  readonly #numeric: NumericRank | undefined
  readonly #learning: Learning | undefined
  /** Maximum factor of any document. */
  readonly factorMax: number

  /**
   * @param popularity if it multiplies points too
   * @param numeric likewise
   * @param learning likewise
   */
  constructor(
    { boosts, personal }: Pick<SearchPlan, 'boosts' | 'personal'>,
    evaluate: EvaluateFilter,
    popularity?: Popularity,
    numeric?: NumericRank,
    learning?: Learning,
  ) {
    this.#boosts = boosts
    this.#personal = personal
    this.#evaluate = evaluate
    this.#popularity = popularity
    this.#numeric = numeric
    this.#learning = learning
    this.factorMax =
      boostFactor(boosts.reduce((product, { factor }) => product * Math.max(1, factor), 1)) *
      (1 + (personal?.limit ?? 0)) *
      (popularity?.factorMax ?? 1) *
      (numeric?.factorMax ?? 1) *
      (learning?.factorMax ?? 1)
  }

  get isEmpty(): boolean {
    const others = this.#personal ?? this.#popularity ?? this.#numeric ?? this.#learning
    return this.#boosts.length === 0 && others === undefined
  }

  /** Multiplies the points of the first `count` documents of a list, within their tiers. */
  apply(segmentIndex: number, docs: Uint32Array, scores: Float64Array, count: number): void {
    const boosts = this.#boosts
    if (this.isEmpty) return
    const popularityOf = this.#popularity?.factors(segmentIndex) ?? alwaysOne
    const numericOf = this.#numeric?.factors(segmentIndex) ?? alwaysOne
    const personalOf = this.#personalIn(segmentIndex)
    const learningOf = this.#learning?.factors(segmentIndex) ?? alwaysOne
    const bits = this.#bitsOf(segmentIndex)
    for (let i = 0; i < count; i++) {
      const docOrd = docs[i]!
      let product = 1
      for (let b = 0; b < boosts.length; b++) {
        if (hasBit(bits[b]!, docOrd)) product *= boosts[b]!.factor
      }
      const ofVisitor = boostFactor(product) * personalOf(docOrd)
      const factor = ofVisitor * popularityOf(docOrd) * numericOf(docOrd) * learningOf(docOrd)
      if (factor !== 1) scores[i] = boostedScore(scores[i]!, factor)
    }
  }

  factorOf(segmentIndex: number, docOrd: number): number {
    if (this.isEmpty) return 1
    const popularity = this.#popularity?.factors(segmentIndex)(docOrd) ?? 1
    const numeric = this.#numeric?.factors(segmentIndex)(docOrd) ?? 1
    const learning = this.#learning?.factors(segmentIndex)(docOrd) ?? 1
    const ofVisitor =
      this.#boostOf(segmentIndex, docOrd).factor * this.#personalIn(segmentIndex)(docOrd)
    return ofVisitor * popularity * numeric * learning
  }

  explain(
    segmentIndex: number,
    docOrd: number,
  ): Pick<ScoreExplanation, 'boost' | 'personal' | 'popularity' | 'numeric' | 'learning'> {
    return {
      ...(this.#boosts.length === 0 ? {} : { boost: this.#boostOf(segmentIndex, docOrd) }),
      ...(this.#personal === undefined
        ? {}
        : { personal: this.#explainPersonal(this.#personal, segmentIndex, docOrd) }),
      ...(this.#popularity === undefined
        ? {}
        : { popularity: this.#popularity.explain(segmentIndex, docOrd) }),
      ...(this.#numeric === undefined
        ? {}
        : { numeric: this.#numeric.explain(segmentIndex, docOrd) }),
      ...(this.#learning === undefined
        ? {}
        : { learning: this.#learning.explain(segmentIndex, docOrd) }),
    }
  }

  #boostOf(segmentIndex: number, docOrd: number): BoostExplanation {
    const bits = this.#bitsOf(segmentIndex)
    const boosts = [...bits.keys()].filter((b) => hasBit(bits[b]!, docOrd))
    const product = boosts.reduce((factor, b) => factor * this.#boosts[b]!.factor, 1)
    return { factor: boostFactor(product), boosts }
  }

  /** The factor of the visitor's taste by docOrd. */
  #personalIn(segmentIndex: number): (docOrd: number) => number {
    const personal = this.#personal
    if (personal === undefined) return alwaysOne
    const { lifts, limit } = personal
    const bits = this.#liftBitsOf(segmentIndex)
    return (docOrd) => {
      let share = 0
      for (let l = 0; l < lifts.length; l++) {
        if (hasBit(bits[l]!, docOrd)) share += lifts[l]!.share
      }
      return personalFactor(share, limit)
    }
  }

  #explainPersonal(
    { lifts, limit }: PlannedPersonal,
    segmentIndex: number,
    docOrd: number,
  ): PersonalExplanation {
    const bits = this.#liftBitsOf(segmentIndex)
    const met = [...bits.keys()].filter((l) => hasBit(bits[l]!, docOrd))
    const share = met.reduce((sum, l) => sum + lifts[l]!.share, 0)
    return { factor: personalFactor(share, limit), lifts: met }
  }

  /** Documents that match some boost or lift. */
  union(segmentIndex: number, docCount: number): Uint32Array {
    const any = newBitset(docCount)
    for (const bits of this.#bitsOf(segmentIndex)) orInto(any, bits)
    for (const bits of this.#liftBitsOf(segmentIndex)) orInto(any, bits)
    return any
  }

  /** Maximum score with boosts of a document with at most this score without. */
  most(score: number): number {
    return boostedScore(score, this.factorMax)
  }

  /** A document below this score without boosts is below `score` with boosts. */
  least(score: number): number {
    if (this.isEmpty || !Number.isFinite(score)) return score
    const tier = tierOf(score)
    return tier + Math.floor((score - tier - 0.5) / this.factorMax)
  }

  #bitsOf(segmentIndex: number): readonly Uint32Array[] {
    return (this.#bits[segmentIndex] ??= this.#boosts.map(({ filter }) =>
      this.#evaluate(filter, segmentIndex),
    ))
  }

  #liftBitsOf(segmentIndex: number): readonly Uint32Array[] {
    return (this.#liftBits[segmentIndex] ??= (this.#personal?.lifts ?? []).map(({ filter }) =>
      this.#evaluate(filter, segmentIndex),
    ))
  }
}

const alwaysOne = (): number => 1

function tierOf(score: number): number {
  return Math.floor(score / TIER_STEP) * TIER_STEP
}

/**
 * Boosts act within a tier. A bound may exceed the points of any document, but stays in its tier
 * too.
 */
function boostedScore(score: number, factor: number): number {
  if (!Number.isFinite(score)) return score
  const tier = tierOf(score)
  return tier + Math.min(TIER_STEP - 1, boostedPoints(score - tier, factor))
}
