import type { ScoreExplanation } from '@aisle/contract'
import { formatNumber, formatPercent } from '../format/numbers.ts'

/** A part of a score, for a bar. */
export interface ScorePart {
  /** The same part of another hit has the same key. */
  readonly key: string
  readonly kind:
    | 'word'
    | 'pair'
    | 'leading'
    | 'base'
    | 'boost'
    | 'personal'
    | 'popularity'
    | 'numeric'
    | 'learning'
    | 'purpose'
  readonly label: string
  /** The explanation for a person. */
  readonly sentence: string
  /** Negative when a rule buries the product. */
  readonly points: number
}

export interface ScoreSummary {
  readonly parts: readonly ScorePart[]
  /** It has all significant words, so it ranks above all that lack one. */
  readonly hasAllWords: boolean
  /** One of its values equals the query word for word, so it ranks above all others. */
  readonly isExact: boolean
  /** Sum of the parts. */
  readonly points: number
  /** Query words that the product lacks. */
  readonly missing: readonly string[]
  /** How similar its vector is to that of the query, where meaning counts. */
  readonly meaning: ScoreExplanation['meaning']
}

type Word = ScoreExplanation['words'][number]
type Alternative = Word['alternatives'][number]

/** Replaces points if a query has no words and rules boost. */
const NEUTRAL_POINTS = 1_048_576

/** An explanation as parts that add up to the points of a hit. */
export function scoreSummary(explanation: ScoreExplanation): ScoreSummary {
  const { words, pairs, leading, boost, personal, purpose } = explanation
  const { popularity, numeric, learning } = explanation
  const parts: ScorePart[] = []
  for (const [i, word] of words.entries()) {
    parts.push({
      key: `word ${i} ${word.word}`,
      kind: 'word',
      label: word.word,
      sentence: wordSentence(word),
      points: word.points,
    })
  }
  for (const { words: pair, points } of pairs) {
    if (points === 0) continue
    parts.push({
      key: `pair ${pair.join(' ')}`,
      kind: 'pair',
      label: pair.join(' + '),
      sentence: `${quoted(pair.join(' '))} are next to each other in the title`,
      points,
    })
  }
  for (const { word, points } of leading ?? []) {
    parts.push({
      key: `leading ${word}`,
      kind: 'leading',
      label: `${word} (leading)`,
      sentence: `${quoted(word)} comes before what the product is for`,
      points,
    })
  }
  if (words.length === 0 && boost !== undefined) {
    const sentence = 'Without a query, every product starts with the same score'
    parts.push({ key: 'base', kind: 'base', label: 'Start', sentence, points: NEUTRAL_POINTS })
  }
  const plain = sum(parts)
  const boosted = Math.floor(plain * (boost?.factor ?? 1) + 0.5)
  let factor = (boost?.factor ?? 1) * (personal?.factor ?? 1)
  const liked = Math.floor(plain * factor + 0.5)
  factor *= popularity?.factor ?? 1
  const popular = Math.floor(plain * factor + 0.5)
  factor *= numeric?.factor ?? 1
  const numbered = Math.floor(plain * factor + 0.5)
  factor *= learning?.factor ?? 1
  const final = Math.floor(plain * factor + 0.5)
  if (boost !== undefined && boosted !== plain) {
    const ids = boost.rules.map(({ id }) => id).join(', ')
    const verb = boost.factor < 1 ? 'bury' : 'boost'
    parts.push({
      key: 'boost',
      kind: 'boost',
      label: `Rules × ${round(boost.factor)}`,
      sentence: `Rules ${verb} it by × ${round(boost.factor)}${ids === '' ? '' : `: ${ids}`}`,
      points: boosted - plain,
    })
  }
  if (personal !== undefined && liked !== boosted) {
    parts.push({
      key: 'personal',
      kind: 'personal',
      label: `Taste × ${round(personal.factor)}`,
      sentence: `The visitor’s taste: × ${round(personal.factor)}`,
      points: liked - boosted,
    })
  }
  if (popularity !== undefined && popular !== liked) {
    parts.push({
      key: 'popularity',
      kind: 'popularity',
      label: `Popularity × ${round(popularity.factor)}`,
      sentence: `Popular with visitors: × ${round(popularity.factor)}, chosen by ${share(popularity.appeal)} of those who searched for this`,
      points: popular - liked,
    })
  }
  if (numeric !== undefined && numbered !== popular) {
    parts.push({
      key: 'numeric',
      kind: 'numeric',
      label: `Your number × ${round(numeric.factor)}`,
      sentence: `The number set under Ranking: × ${round(numeric.factor)}`,
      points: numbered - popular,
    })
  }
  if (learning !== undefined && final !== numbered) {
    parts.push({
      key: 'learning',
      kind: 'learning',
      label: `Learned × ${round(learning.factor)}`,
      sentence: `Clicked ${times(learning.clicks)} for this query, ${moreOften(learning)} times as often as its place explains: × ${round(learning.factor)}`,
      points: final - numbered,
    })
  }
  const ofWords = words.reduce((all, { points }) => all + points, 0)
  const worth = Math.floor((ofWords * final) / Math.max(plain, 1) + 0.5)
  const lost = worth - Math.floor(worth * (purpose?.factor ?? 1) + 0.5)
  if (purpose !== undefined && lost > 0) {
    parts.push({
      key: 'purpose',
      kind: 'purpose',
      label: `Purpose × ${round(purpose.factor)}`,
      sentence: 'The title says it is made for what was searched for',
      points: -lost,
    })
  }
  return {
    parts,
    hasAllWords: explanation.tier > 0,
    isExact: explanation.exact_value > 0,
    points: final - lost,
    missing: words.filter(({ known, quality }) => known && quality === 0).map(({ word }) => word),
    meaning: explanation.meaning,
  }
}

/** What meaning does beside the points, for a person. */
export function meaningSentence(meaning: NonNullable<ScoreSummary['meaning']>): string {
  const similarity = `Similarity to the query ${formatSimilarity(meaning.similarity)}`
  if (meaning.alone === true) return `${similarity}: found by its meaning, without any word`
  if (meaning.question === true) {
    return `${similarity}: the query is a question, so the rank by similarity counts more than that by words`
  }
  return `${similarity}, weight ${round(meaning.weight)}: counts beside the points`
}

/** @param similarity -1 to 1, with a field that compares by `dot` any number */
export function formatSimilarity(similarity: number): string {
  return formatNumber(similarity, 2)
}

function wordSentence({ word, known, quality, stopword, documents, alternatives }: Word): string {
  const name = quoted(word)
  if (!known) return `${name} is in no product and is ignored`
  if (quality === 0) return `${name} is not in this product`
  const best = alternatives.filter(({ counted }) => counted).toSorted(byWorth)[0] ?? alternatives[0]
  if (best === undefined) return `${name} is in this product`
  const rarity = stopword
    ? ', a common word'
    : `, found in ${formatNumber(documents)} ${documents === 1 ? 'product' : 'products'}`
  return `${variantText(word, best)}${placeText(best)}${rarity}`
}

function byWorth(a: Alternative, b: Alternative): number {
  return b.quality * b.evidence - a.quality * a.evidence
}

function variantText(word: string, { variant, forms }: Alternative): string {
  const name = quoted(word)
  const form = quoted(forms.slice(0, 3).join(variant === 'split' ? ' ' : ', '))
  const hasForm = forms.length > 0
  switch (variant) {
    case 'exact':
      return `${name} as typed`
    case 'stem':
      return `${name} as ${form}, another form`
    case 'joined':
      return `${name} joined, as ${form}`
    case 'bare':
      return `${name} without symbols, as ${form}`
    case 'split':
      return `${name} split, as ${form}`
    case 'compound':
      return `${name} is a part of ${form}`
    case 'prefix':
      return hasForm ? `${name} is the beginning of ${form}` : `a word begins with ${name}`
    case 'typo':
      return `${name} was read as ${form}`
    case 'neighbour':
      return `${form} is one letter away from ${name}`
    case 'infix':
      return hasForm ? `${name} is inside ${form}` : `${name} is inside a word`
    case 'synonym':
      return `${form} is a synonym of ${name}`
  }
}

function placeText({ fields }: Alternative): string {
  const names = fields.toSorted((a, b) => b.evidence - a.evidence).map(({ field }) => field)
  return names.length === 0 ? '' : `, in ${listed(names)}`
}

/** `title, brand and tags` */
export function listed(names: readonly string[]): string {
  if (names.length <= 1) return names[0] ?? ''
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

export function quoted(text: string): string {
  return `“${text}”`
}

export function sum(parts: readonly Pick<ScorePart, 'points'>[]): number {
  return parts.reduce((total, { points }) => total + points, 0)
}

function round(factor: number): number {
  return Math.round(factor * 100) / 100
}

/** Clicks fade, so their number may have decimals. */
function times(clicks: number): string {
  const whole = Math.round(clicks)
  return `${formatNumber(whole)} ${whole === 1 ? 'time' : 'times'}`
}

function moreOften({ clicks, expected }: NonNullable<ScoreExplanation['learning']>): number {
  return Math.round((10 * clicks) / expected) / 10
}

function share(ratio: number): string {
  return formatPercent(ratio, 0)
}
