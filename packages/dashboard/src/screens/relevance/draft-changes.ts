import type { RelevanceDraft, StoreSettings } from '@aisle/contract'
import { ownValue } from '../../format/own-value.ts'

type RankingName = keyof StoreSettings['ranking']

/** What the controls of a draft are given. */
export interface DraftProps {
  readonly draft: RelevanceDraft
  readonly live: StoreSettings['ranking']
  readonly onChange: (draft: RelevanceDraft) => void
}

/** What the settings are called in a shop. */
export const RANKING_LABELS: Readonly<Record<RankingName, string>> = {
  field_weights: 'Weights of fields',
  sort_by: 'Order',
  min_relevance: 'Least relevance',
  popularity_weight: 'Popularity',
  accessories: 'Accessories',
  typo_max: 'Typos per word',
  typo_min_len_1: 'Letters before one typo',
  typo_min_len_2: 'Letters before two typos',
  typo_numbers: 'Typos in numbers',
  prefix_mode: 'Unfinished last word',
  infix_mode: 'Inside of words',
  require_all_terms: 'Require all words',
  exact_match_boost: 'Exact values first',
}

/** The changes of a draft, one sentence each: `Typos per word: 2 → 1`. */
export function draftChanges(draft: RelevanceDraft, live: StoreSettings['ranking']): string[] {
  const changes: string[] = []
  for (const [name, value] of Object.entries(draft.ranking ?? {}) as [RankingName, unknown][]) {
    if (name === 'field_weights') {
      const weights = (value ?? {}) as Readonly<Record<string, number | null>>
      for (const [field, weight] of Object.entries(weights)) {
        changes.push(
          `Weight of ${field}: ${shown(ownValue(live.field_weights, field))} → ${shown(weight)}`,
        )
      }
      if (value === null) changes.push('Weights of fields: guessed from their names')
    } else changes.push(`${RANKING_LABELS[name]}: ${shown(live[name])} → ${shown(value)}`)
  }
  const named: readonly (readonly [string, Readonly<Record<string, unknown>> | undefined])[] = [
    ['Synonym set', draft.synonym_sets],
    ['Stop word set', draft.stopword_sets],
    ['Rule', draft.rules],
  ]
  for (const [noun, members] of named) {
    for (const [name, value] of Object.entries(members ?? {})) {
      changes.push(`${noun} ${name}: ${value === null ? 'deleted' : 'changed'}`)
    }
  }
  return changes
}

/** A draft with a ranking setting; values equal to the live ones are left out. */
export function withRanking(
  draft: RelevanceDraft,
  live: StoreSettings['ranking'],
  name: Exclude<RankingName, 'field_weights'>,
  value: unknown,
): RelevanceDraft {
  const ranking: Record<string, unknown> = { ...draft.ranking }
  if (live[name] === value) delete ranking[name]
  else ranking[name] = value
  return withPart(draft, 'ranking', ranking)
}

/** @param weight undefined: the live value */
export function withWeight(
  draft: RelevanceDraft,
  live: StoreSettings['ranking'],
  field: string,
  weight: number | undefined,
): RelevanceDraft {
  const weights: Record<string, number | null> = { ...draft.ranking?.field_weights }
  if (weight === undefined || ownValue(live.field_weights, field) === weight) delete weights[field]
  else weights[field] = weight
  const { field_weights: _, ...others } = draft.ranking ?? {}
  const hasWeights = Object.keys(weights).length > 0
  return withPart(draft, 'ranking', {
    ...others,
    ...(hasWeights ? { field_weights: weights } : {}),
  })
}

/** @param value undefined: the live value; null: deleted */
export function withMember(
  draft: RelevanceDraft,
  part: 'synonym_sets' | 'stopword_sets' | 'rules',
  name: string,
  value: unknown,
): RelevanceDraft {
  const members: Record<string, unknown> = { ...draft[part] }
  if (value === undefined) delete members[name]
  else members[name] = value
  return withPart(draft, part, members)
}

function withPart(draft: RelevanceDraft, part: keyof RelevanceDraft, value: object) {
  const { [part]: _, ...others } = draft
  return (Object.keys(value).length === 0 ? others : { ...others, [part]: value }) as RelevanceDraft
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'default'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
