import type { RelevanceDraft, StoreSettings } from '@aisle/contract'
import { isObject } from '@aisle/contract/is-object'
import { ownValue } from '../format/own-value.ts'
import { valueAt } from './setting-changes.ts'
import { SETTING_FIELDS } from './setting-fields.ts'

const LABELS = new Map(SETTING_FIELDS.map(({ path, label }) => [path, label]))

type RankingName = keyof StoreSettings['ranking']

/** What the controls of a draft are given. */
export interface DraftProps {
  readonly draft: RelevanceDraft
  readonly live: StoreSettings['ranking']
  readonly onChange: (draft: RelevanceDraft) => void
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
      if (value === null) changes.push('Field weights: guessed from names')
    } else changes.push(`${LABELS.get(`ranking.${name}`)}: ${shown(live[name])} → ${shown(value)}`)
  }
  const { ranking: _, ...others } = draft
  for (const [part, value] of Object.entries(others)) {
    const members = isObject(value) ? Object.entries(value) : []
    const noun = ownValue(NOUNS, part)
    for (const [name, one] of members) {
      changes.push(
        noun === undefined
          ? `${LABELS.get(`${part}.${name}`) ?? name}: ${shown(one)}`
          : `${noun} ${name}: ${one === null ? 'deleted' : 'changed'}`,
      )
    }
    if (isObject(value)) continue
    const label = LABELS.get(part) ?? LABELS.get(`${part}.field`) ?? part
    changes.push(`${label}: ${shown(value)}`)
  }
  return changes
}

/** Parts of a draft that are named one by one; all others are settings. */
const NOUNS: Readonly<Record<string, string>> = {
  synonym_sets: 'Synonym set',
  stopword_sets: 'Stop word set',
  rules: 'Rule',
  presets: 'Preset',
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

/** Settings of a draft. `ranking` and `semantic` have sections instead. */
export const SHOWN_SETTINGS = ['distinct', 'omit_fields', 'interpretation'] as const

/**
 * A draft with a setting of these; values equal to the live ones are left out.
 *
 * @param path `interpretation.mode`
 * @param value null: the default
 */
export function withSetting(
  draft: RelevanceDraft,
  live: StoreSettings,
  path: string,
  value: unknown,
): RelevanceDraft {
  const [group, name] = path.split('.') as [(typeof SHOWN_SETTINGS)[number], string?]
  const isLive = isSame(valueAt(live, path), value)
  if (name === undefined) return withValue(draft, group, isLive ? undefined : value)
  // Without its field there are no variants.
  if (path === 'distinct.field' && value === null) {
    return withValue(draft, group, isLive ? undefined : null)
  }
  const members: Record<string, unknown> = { ...draft[group] }
  if (isLive) delete members[name]
  else members[name] = value
  return withPart(draft, group, members)
}

function withValue(draft: RelevanceDraft, part: keyof RelevanceDraft, value: unknown) {
  const { [part]: _, ...others } = draft
  return (value === undefined ? others : { ...others, [part]: value }) as RelevanceDraft
}

/** Nothing, `null` and an empty list are the default. */
function isSame(one: unknown, other: unknown): boolean {
  const plain = (value: unknown): unknown =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? null : value
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other))
}

/** A draft with a member of the setting `semantic`; values equal to the live ones are left out. */
export function withMeaning(
  draft: RelevanceDraft,
  live: NonNullable<StoreSettings['semantic']>,
  name: keyof NonNullable<RelevanceDraft['semantic']>,
  value: unknown,
): RelevanceDraft {
  const semantic: Record<string, unknown> = { ...draft.semantic }
  if (live[name] === value) delete semantic[name]
  else semantic[name] = value
  return withPart(draft, 'semantic', semantic)
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
  part: 'synonym_sets' | 'stopword_sets' | 'rules' | 'presets',
  name: string,
  value: unknown,
): RelevanceDraft {
  const members: Record<string, unknown> = { ...draft[part] }
  if (value === undefined) delete members[name]
  else members[name] = value
  return withPart(draft, part, members)
}

function withPart(draft: RelevanceDraft, part: keyof RelevanceDraft, value: object) {
  return withValue(draft, part, Object.keys(value).length === 0 ? undefined : value)
}

/** `margin, weight 0.2, linear`; `default` where nothing is set. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'default'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(shown).join(', ')
  if (typeof value !== 'object') return JSON.stringify(value)
  const { field, ...others } = value as Readonly<Record<string, unknown>>
  const facts = Object.entries(others).map(([name, one]) => `${name} ${shown(one)}`)
  return [...(field === undefined ? [] : [shown(field)]), ...facts].join(', ')
}
