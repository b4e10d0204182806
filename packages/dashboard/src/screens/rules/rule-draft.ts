import type { PutRuleRequest } from '@aisle/contract'

/** A rule without its id. */
export type RuleValue = Omit<PutRuleRequest, 'id'>
export type Condition = NonNullable<RuleValue['when']>[number]
export type Pin = NonNullable<RuleValue['pin']>[number]
export type Window = NonNullable<RuleValue['schedule']>[number]

export interface NamedRule {
  readonly id: string
  readonly value: RuleValue
}

/** `undefined` removes a member. */
export type RuleChanges = { readonly [Name in keyof RuleValue]?: RuleValue[Name] | undefined }

const POSITION_MAX = 10_000

export function changedRule(rule: RuleValue, changes: RuleChanges): RuleValue {
  const members = Object.entries({ ...rule, ...changes }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(members)
}

/** Pins a product to a place, from 1. Existing pins from there on move back by one place. */
export function pinned(rule: RuleValue, id: string, position: number): RuleValue {
  const others = new Map<number, string>()
  const doubles: Pin[] = []
  for (const pin of rule.pin ?? []) {
    if (pin.id === id) continue
    if (others.has(pin.position)) doubles.push(pin)
    else others.set(pin.position, pin.id)
  }
  let place = Math.min(Math.max(1, Math.round(position)), POSITION_MAX)
  for (let current = id; ; place++) {
    const pushed = others.get(place)
    others.set(place, current)
    if (pushed === undefined || place === POSITION_MAX) break
    current = pushed
  }
  const pin = [...others].map(([at, one]) => ({ id: one, position: at })).concat(doubles)
  return withoutEmpty({
    ...rule,
    pin: pin.toSorted((a, b) => a.position - b.position),
    hide: (rule.hide ?? []).filter((one) => one !== id),
  })
}

export function unpinned(rule: RuleValue, id: string): RuleValue {
  return withoutEmpty({ ...rule, pin: (rule.pin ?? []).filter((pin) => pin.id !== id) })
}

/** A hidden product is not pinned. */
export function hidden(rule: RuleValue, id: string): RuleValue {
  const hide = [...(rule.hide ?? []).filter((one) => one !== id), id]
  return { ...unpinned(rule, id), hide }
}

export function shownAgain(rule: RuleValue, id: string): RuleValue {
  return withoutEmpty({ ...rule, hide: (rule.hide ?? []).filter((one) => one !== id) })
}

/** The request body, without parts that were begun and not filled in. */
export function filledRule(rule: RuleValue): RuleValue {
  const { when, boost, filter_by, sort_by, replace_query, remove_words, redirect, schedule } = rule
  const { description } = rule
  return withoutEmpty(
    changedRule(rule, {
      when: when?.filter(isFilled).map(trimmedContexts),
      boost: boost?.filter((one) => one.filter_by.trim() !== ''),
      remove_words: remove_words?.map((word) => word.trim()).filter((word) => word !== ''),
      schedule: schedule?.filter(({ from, until }) => from !== undefined || until !== undefined),
      filter_by: filledText(filter_by),
      replace_query: filledText(replace_query),
      description: filledText(description),
      ...(typeof sort_by === 'string' ? { sort_by: filledText(sort_by) } : {}),
      ...(typeof redirect === 'string' ? { redirect: filledText(redirect) } : {}),
      ...(hasText(rule.banner) ? {} : { banner: undefined }),
      ...(Object.keys(rule.metadata ?? {}).length > 0 ? {} : { metadata: undefined }),
      ...(Object.keys(rule.facet_display ?? {}).length > 0 ? {} : { facet_display: undefined }),
    }),
  )
}

/** Whether a banner has any value; a text of spaces is none. */
function hasText(banner: RuleValue['banner']): boolean {
  const values = typeof banner === 'object' ? Object.values(banner) : [banner ?? '']
  return values.some((one) => typeof one !== 'string' || one.trim() !== '')
}

function filledText(text: string | undefined): string | undefined {
  return text?.trim() === '' ? undefined : text
}

/** Whether a condition is complete: words, contexts, a filter. */
function isFilled({ match, query, contexts, filter_by }: Condition): boolean {
  const needsWords = query !== undefined || !(match === undefined || WORDLESS.has(match))
  if (needsWords && (query ?? '').trim() === '') return false
  if (contexts !== undefined && contexts.every((one) => one.trim() === '')) return false
  return filter_by === undefined || filter_by.trim() !== ''
}

const WORDLESS: ReadonlySet<string> = new Set(['any', 'empty'])

function trimmedContexts(condition: Condition): Condition {
  if (condition.contexts === undefined) return condition
  const contexts = condition.contexts.map((one) => one.trim()).filter((one) => one !== '')
  return { ...condition, contexts }
}

/** The incomplete parts of a rule, by the names of the page; they would not be published. */
export function unfilledParts(rule: RuleValue): string[] {
  const filled = filledRule(rule)
  const parts = (rule.when ?? []).flatMap((condition, i) =>
    isFilled(condition) ? [] : [rule.when!.length === 1 ? 'condition' : `condition ${i + 1}`],
  )
  for (const { filter_by, weight } of rule.boost ?? []) {
    if (filter_by.trim() === '') parts.push(weight < 1 ? 'bury products' : 'boost products')
  }
  if ((rule.remove_words?.length ?? 0) > (filled.remove_words?.length ?? 0)) {
    parts.push('remove words')
  }
  for (const [name, label] of ONE_TEXT) {
    if (rule[name] !== undefined && filled[name] === undefined) parts.push(label)
  }
  if ((rule.schedule?.length ?? 0) > (filled.schedule?.length ?? 0)) parts.push('schedule')
  return parts
}

const ONE_TEXT = [
  ['filter_by', 'filter products'],
  ['sort_by', 'sort products'],
  ['replace_query', 'replace the query'],
  ['banner', 'show a banner'],
  ['redirect', 'redirect to a page'],
  ['facet_display', 'arrange facets'],
  ['metadata', 'return custom data'],
] as const

/** What a rule can do. */
const ACTIONS = [
  'pin',
  'hide',
  'boost',
  'remove_words',
  'exact_match_boost',
  'semantic',
  'semantic_weight',
  ...ONE_TEXT.map(([name]) => name),
] as const

/** Whether it does anything when it applies. */
export function hasActions(rule: RuleValue): boolean {
  const filled = filledRule(rule)
  return ACTIONS.some((name) => filled[name] !== undefined)
}

/** An empty list means the same as none, and the service requires some of them to be absent. */
function withoutEmpty(rule: RuleValue): RuleValue {
  const members = Object.entries(rule).filter(
    ([, value]) => !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(members)
}

/** A search to which the rule applies, so that its preview shows something. */
export interface RuleOccasion {
  readonly q: string
  readonly rule_contexts?: string[]
  readonly filter_by?: string
}

export function occasionOf(rule: RuleValue, q: string): RuleOccasion {
  const [first] = filledRule(rule).when ?? []
  return {
    q: q.trim() === '' ? '*' : q,
    ...(first?.contexts === undefined ? {} : { rule_contexts: first.contexts.slice(0, 1) }),
    ...(first?.filter_by === undefined ? {} : { filter_by: first.filter_by }),
  }
}

/** The order in which rules apply: the higher priority first, equals by id. */
export function comesFirst(a: NamedRule, b: NamedRule): boolean {
  const difference = (a.value.priority ?? 0) - (b.value.priority ?? 0)
  return difference === 0 ? a.id < b.id : difference > 0
}
