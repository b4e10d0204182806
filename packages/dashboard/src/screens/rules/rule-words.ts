import type { Condition, RuleValue, Window } from './rule-draft.ts'

/** Rules as sentences that read like prose. */

const MATCH_WORDS = {
  exact: 'is',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
} as const

const TIMES = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DAYS = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** "When the query contains “tent” or is empty". */
export function whenText({ when }: RuleValue): string {
  if (when === undefined || when.length === 0) return 'Every search'
  return `The query ${when.map(conditionText).join(', or it ')}`
}

function conditionText({ match, query, contexts, filter_by }: Condition): string {
  const how = match ?? (query === undefined ? 'any' : 'exact')
  const parts: string[] = []
  if (how === 'empty') parts.push('is empty')
  else if (how === 'any') parts.push('is any')
  else parts.push(`${MATCH_WORDS[how]} “${query ?? ''}”`)
  if (contexts !== undefined && contexts.length > 0) {
    parts.push(`with the context ${contexts.map((one) => `“${one}”`).join(' or ')}`)
  }
  if (filter_by !== undefined) parts.push(`filtered by ${filter_by}`)
  return parts.join(' ')
}

/** The effects, the most visible first: "pins 2", "boosts brand:=Norrby × 2". */
export function effectTexts(rule: RuleValue): string[] {
  const { pin = [], hide = [], boost = [], remove_words = [] } = rule
  const texts: string[] = []
  if (rule.redirect !== undefined) texts.push(`redirects to ${redirectText(rule.redirect)}`)
  if (rule.replace_query !== undefined) texts.push(`searches for “${rule.replace_query}”`)
  if (remove_words.length > 0) {
    texts.push(`leaves out ${remove_words.map((word) => `“${word}”`).join(', ')}`)
  }
  if (pin.length > 0) texts.push(`pins ${pin.length}`)
  if (hide.length > 0) texts.push(`hides ${hide.length}`)
  for (const { filter_by, weight } of boost) {
    texts.push(`${weight < 1 ? 'buries' : 'boosts'} ${filter_by} × ${weight}`)
  }
  if (rule.filter_by !== undefined) texts.push(`only ${rule.filter_by}`)
  if (rule.sort_by !== undefined) texts.push(`sorts by ${[rule.sort_by].flat().join(', ')}`)
  if (rule.banner !== undefined) texts.push('shows a banner')
  if (rule.facet_display !== undefined) texts.push('arranges facets')
  if (rule.metadata !== undefined) texts.push('returns custom data')
  if (rule.exact_match_boost === false) texts.push('boosts rank above exact values')
  if (rule.semantic !== undefined) texts.push(MEANING_WORDS[rule.semantic])
  if (rule.semantic_weight !== undefined) texts.push(`weighs meaning ${rule.semantic_weight}`)
  return texts
}

/** What `semantic` of a rule does. */
const MEANING_WORDS: Readonly<Record<NonNullable<RuleValue['semantic']>, string>> = {
  auto: 'searches by meaning',
  on: 'searches by meaning, while typing too',
  off: 'searches by words alone',
}

export function redirectUrl(redirect: NonNullable<RuleValue['redirect']>): string {
  if (typeof redirect === 'string') return redirect
  return typeof redirect['url'] === 'string' ? redirect['url'] : ''
}

/** An address as people read it: `/search?categories=Outdoor > Camping`. */
function redirectText(redirect: NonNullable<RuleValue['redirect']>): string {
  const url = redirectUrl(redirect)
  const at = url.indexOf('?')
  try {
    if (at < 0) return decodeURI(url)
    return decodeURI(url.slice(0, at)) + decodeURIComponent(url.slice(at).replaceAll('+', ' '))
  } catch {
    return url
  }
}

/** "between 1 Jun 2026 and 30 Jun 2026"; undefined: always. */
export function scheduleText({ schedule = [] }: RuleValue): string | undefined {
  if (schedule.length === 0) return undefined
  return schedule.map(windowText).join(', or ')
}

function windowText({ from, until }: Window): string {
  const [first, last] = [momentText(from), momentText(until)]
  if (first !== undefined && last !== undefined) return `between ${first} and ${last}`
  if (first !== undefined) return `from ${first} on`
  return last === undefined ? 'always' : `until ${last}`
}

/** A day if it starts at local midnight, otherwise with the time. */
export function momentText(at: string | undefined): string | undefined {
  if (at === undefined) return undefined
  const ms = Date.parse(at)
  if (!Number.isFinite(ms)) return at
  const date = new Date(ms)
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
  return (isMidnight ? DAYS : TIMES).format(date)
}

export type RuleState = 'on' | 'off' | 'planned' | 'ended'

/** Whether it could apply now. Between two windows it is scheduled. */
export function ruleState({ enabled = true, schedule = [] }: RuleValue, nowMs: number): RuleState {
  if (!enabled) return 'off'
  if (schedule.length === 0) return 'on'
  let isPlanned = false
  for (const { from, until } of schedule) {
    const first = from === undefined ? -Infinity : Date.parse(from)
    const last = until === undefined ? Infinity : Date.parse(until)
    if (nowMs >= first && nowMs < last) return 'on'
    if (nowMs < first && first < last) isPlanned = true
  }
  return isPlanned ? 'planned' : 'ended'
}

/**
 * A time at which the rule could apply, nearest to now, for the preview. Undefined: now, or never.
 */
export function previewTime({ schedule = [] }: RuleValue, nowMs: number): string | undefined {
  const state = ruleState({ schedule }, nowMs)
  if (state === 'on') return undefined
  const starts = schedule
    .filter(({ from, until }) => !(Date.parse(from ?? '') >= Date.parse(until ?? '')))
    .map(({ from, until }) => (from === undefined ? Date.parse(until!) - 1 : Date.parse(from)))
    .filter((ms) => Number.isFinite(ms))
    .toSorted((a, b) => a - b)
  const next = starts.find((ms) => ms > nowMs) ?? starts.at(-1)
  return next === undefined ? undefined : new Date(next).toISOString()
}

/** For `<input type="datetime-local">`, in the time zone of this browser. */
export function localInput(at: string | undefined): string {
  const ms = Date.parse(at ?? '')
  if (!Number.isFinite(ms)) return ''
  const date = new Date(ms)
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** ISO 8601 with the offset that holds here at that time. */
export function instantOf(local: string): string | undefined {
  const date = new Date(local)
  if (local === '' || Number.isNaN(date.getTime())) return undefined
  const minutes = -date.getTimezoneOffset()
  const sign = minutes < 0 ? '-' : '+'
  const two = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, '0')
  const seconds = local.length === 16 ? ':00' : ''
  return `${local}${seconds}${sign}${two(minutes / 60)}:${two(minutes % 60)}`
}
