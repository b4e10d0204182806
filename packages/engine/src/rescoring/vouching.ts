import { compareCodePoints } from '../codec/code-points.ts'
import type { VouchedExplanation } from '../query/explanation.ts'
import type { SearchPlan } from '../query/plan.ts'
import { titleFieldOf } from '../schema/title-field.ts'
import type { Schema } from '../schema/schema.ts'
import { TIER_STEP, WEIGHT_STRONG_MIN } from '../scoring/formula.ts'
import {
  companyShare,
  titleWordWeight,
  vouchedPoints,
  vouchedShare,
  VOUCHERS_NAMED_MAX,
} from '../scoring/vouching.ts'
import { wordsOf } from './document-words.ts'
import type { CandidateDocument } from './candidate-document.ts'
import { matchSlot } from './score.ts'
import type { SlotAlternatives } from './words.ts'
import type { WordCatalog } from './word-catalog.ts'

/** A query term, and how often titles with another word have it: "Vouching". */
export interface TitleCompany {
  readonly slot: SlotAlternatives
  /** q of the vouched-for word: the highest of its forms. */
  readonly quality: number
  /** Share for the stem of a title word; 0 without evidence. */
  shareOf(stem: string): number
}

/** The query terms that titles may vouch for. */
export function findTitleCompanies(
  plan: SearchPlan,
  slots: readonly SlotAlternatives[],
  catalog: WordCatalog,
  schema: Schema,
): TitleCompany[] {
  const known = slots.filter((slot) => slot.known)
  if (known.length < 2 || plan.titleField !== titleFieldOf(schema)) return []
  return known.flatMap((slot) => {
    if (slot.slot.stopword) return []
    const inTitles = (stem: string) => catalog.titleDocFreq(stem) > 0
    const stem = [...slot.pairBonusStems].find(inTitles)
    if (stem === undefined) return []
    const quality = bestQuality(slot, stem, catalog)
    return [{ slot, quality, shareOf: sharesBeside(plan, stem, catalog) }]
  })
}

/** The highest q of the live forms of a group. */
function bestQuality(slot: SlotAlternatives, stem: string, catalog: WordCatalog): number {
  const { form, stem: ownStem } = slot.slot
  if (stem === ownStem && catalog.formDocFreq(form) > 0) return slot.qualityOf(form)
  return Math.max(0, ...catalog.formsOfGroup(stem).map((form) => slot.qualityOf(form)))
}

/** Asks only for words of titles that are read, because each may be a remote query. */
function sharesBeside(
  { titleField }: SearchPlan,
  stem: string,
  catalog: WordCatalog,
): TitleCompany['shareOf'] {
  const { docCount, sampleSize, both } = catalog.titlesWith(stem, titleField)
  return (word) => {
    const count = both.get(word)
    if (count === undefined) return 0
    const inTitles = catalog.titleDocFreq(word)
    return companyShare(count, docCount / sampleSize, inTitles, docCount, catalog.docCount)
  }
}

/** The title words of several documents: similar documents share words. */
export class TitleWords {
  readonly #catalog: WordCatalog
  readonly #weights = new Map<string, number>()
  readonly #shares = new Map<TitleCompany, Map<string, number>>()

  constructor(catalog: WordCatalog) {
    this.#catalog = catalog
  }

  weightOf(stem: string): number {
    let weight = this.#weights.get(stem)
    if (weight === undefined) {
      weight = titleWordWeight(this.#catalog.titleDocFreq(stem), this.#catalog.docCount)
      this.#weights.set(stem, weight)
    }
    return weight
  }

  shareBeside(company: TitleCompany, stem: string): number {
    let shares = this.#shares.get(company)
    if (shares === undefined) this.#shares.set(company, (shares = new Map()))
    let share = shares.get(stem)
    if (share === undefined) shares.set(stem, (share = company.shareOf(stem)))
    return share
  }
}

/** The words that a document lacks and its title vouches for, with their points. */
export function vouchedFor(
  plan: SearchPlan,
  companies: readonly TitleCompany[],
  document: CandidateDocument,
  textMatchScore: number,
  catalog: WordCatalog,
  titles = new TitleWords(catalog),
): VouchedExplanation[] {
  // A document of the upper tier has all significant words.
  if (textMatchScore >= TIER_STEP) return []
  return companies.flatMap((company) => {
    const { slot, quality } = company
    const { found } = matchSlot(plan, slot, document, catalog)
    if (found.some(({ quality }) => quality >= WEIGHT_STRONG_MIN)) return []
    let sum = 0
    let weights = 0
    const vouchers: { word: string; worth: number }[] = []
    for (const stem of document.titleWords) {
      const weight = titles.weightOf(stem)
      const worth = weight * titles.shareBeside(company, stem)
      sum += worth
      weights += weight
      if (worth > 0) vouchers.push({ word: firstForm(document, stem), worth })
    }
    const share = vouchedShare(sum, weights)
    const points = vouchedPoints(slot.weight, quality, share)
    if (points === 0) return []
    vouchers.sort((a, b) => b.worth - a.worth || compareCodePoints(a.word, b.word))
    const words = vouchers.slice(0, VOUCHERS_NAMED_MAX).map(({ word }) => word)
    return [{ form: slot.slot.form, share, points, words }]
  })
}

/**
 * The first form of a stem group in the document, by code point. For explanations, whose documents
 * have all words read.
 */
function firstForm(document: CandidateDocument, stem: string): string {
  if (document.rest !== undefined) return stem
  const forms = wordsOf(document).forms.filter((token) => token.stem === stem)
  return forms.map(({ form }) => form).toSorted(compareCodePoints)[0]!
}
