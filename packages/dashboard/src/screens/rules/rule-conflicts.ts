import type { Condition, NamedRule, RuleValue } from './rule-draft.ts'

/** Two rules of which only one can take effect. */
export interface RuleConflict {
  readonly ruleId: string
  readonly otherId: string
  /** "Product 4: this rule pins it to place 1, “season” hides it." */
  readonly text: string
  readonly isOverruled: boolean
}

/** A store with more pairs than this is checked only in part. */
const PAIRS_MAX = 200_000

/** Decisions that the first rule makes for a search: the key of each, and its value. */
function claims({ pin = [], hide = [], ...rule }: RuleValue): Map<string, string> {
  const made = new Map<string, string>()
  for (const id of hide) made.set(`product ${id}`, 'hides it')
  for (const { id, position } of pin) {
    made.set(`product ${id}`, `pins it to position ${position}`)
    made.set(`position ${position}`, `pins ${id} there`)
  }
  const { replace_query: replaced, sort_by: sort, redirect, exact_match_boost: exact } = rule
  if (replaced !== undefined) made.set('the query', `searches for “${replaced}”`)
  if (sort !== undefined) made.set('the order', `sorts by ${[sort].flat().join(', ')}`)
  if (redirect !== undefined) made.set('the page', `redirects to ${JSON.stringify(redirect)}`)
  const { semantic, semantic_weight: weight } = rule
  if (semantic !== undefined) made.set('search by meaning', `sets it to ${semantic}`)
  if (weight !== undefined) made.set('the weight of meaning', `sets it to ${weight}`)
  if (exact !== undefined) made.set('exact values', exact ? 'puts them first' : 'lets boosts win')
  return made
}

/** All conflicts of the rules of a store, by the id of the rule. */
export function conflictsByRule(
  rules: readonly NamedRule[],
): ReadonlyMap<string, readonly RuleConflict[]> {
  const byKey = new Map<string, { readonly rule: NamedRule; readonly claim: string }[]>()
  for (const rule of rules) {
    if (rule.value.enabled === false) continue
    for (const [key, claim] of claims(rule.value)) {
      const known = byKey.get(key)
      if (known === undefined) byKey.set(key, [{ rule, claim }])
      else known.push({ rule, claim })
    }
  }
  const found = new Map<string, RuleConflict[]>()
  let pairs = 0
  for (const [key, list] of byKey) {
    for (const [i, own] of list.entries()) {
      for (const other of list.slice(i + 1)) {
        if (++pairs > PAIRS_MAX) return found
        if (own.claim === other.claim || !mayMeet(own.rule.value, other.rule.value)) continue
        add(found, key, own, other)
        add(found, key, other, own)
      }
    }
  }
  return found
}

function add(
  found: Map<string, RuleConflict[]>,
  key: string,
  own: { readonly rule: NamedRule; readonly claim: string },
  other: { readonly rule: NamedRule; readonly claim: string },
): void {
  const list = found.get(own.rule.id) ?? []
  const isOverruled = comesFirst(other.rule, own.rule)
  const about = key.charAt(0).toUpperCase() + key.slice(1)
  const text = `${about}: this rule ${own.claim}, “${other.rule.id}” ${other.claim}.`
  list.push({ ruleId: own.rule.id, otherId: other.rule.id, text, isOverruled })
  found.set(own.rule.id, list)
}

/** The higher priority first, equals by id. */
export function comesFirst(a: NamedRule, b: NamedRule): boolean {
  const difference = (a.value.priority ?? 0) - (b.value.priority ?? 0)
  return difference === 0 ? a.id < b.id : difference > 0
}

/** Whether both rules are likely to apply to the same search. */
function mayMeet(a: RuleValue, b: RuleValue): boolean {
  if (!windowsOverlap(a, b)) return false
  return (a.when ?? [{}]).some((x) => (b.when ?? [{}]).some((y) => conditionsMeet(x, y)))
}

function windowsOverlap(a: RuleValue, b: RuleValue): boolean {
  const bounds = ({ schedule }: RuleValue): [number, number][] =>
    (schedule ?? [{}]).map(({ from, until }) => [
      from === undefined ? -Infinity : Date.parse(from),
      until === undefined ? Infinity : Date.parse(until),
    ])
  return bounds(a).some(([from, until]) =>
    bounds(b).some(([start, end]) => Math.max(from, start) < Math.min(until, end)),
  )
}

/**
 * Compares their words as written; the service compares stems, so it may find more. Two different
 * words could always occur in one query; that does not count.
 */
function conditionsMeet(x: Condition, y: Condition): boolean {
  const [one, other] = [matchOf(x), matchOf(y)]
  if (one === 'any' || other === 'any') return true
  if (one === 'empty' || other === 'empty') return one === other
  const [words, others] = [` ${wordsOf(x)} `, ` ${wordsOf(y)} `]
  if (one === 'exact' && other === 'exact') return words === others
  return (
    (other !== 'exact' && words.includes(others)) || (one !== 'exact' && others.includes(words))
  )
}

function matchOf({ match, query }: Condition): NonNullable<Condition['match']> {
  return match ?? (query === undefined ? 'any' : 'exact')
}

function wordsOf({ query = '' }: Condition): string {
  return (query.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ')
}
