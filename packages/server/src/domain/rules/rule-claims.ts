import type { FacetDisplay, RuleSubject } from '@aisle/contract'
import { exactJson } from '../json/json-exact.ts'
import type { KeptRule } from './rule-set.ts'

/** Something that a rule decides, and that only the first rule of a search decides. */
export interface RuleClaim {
  readonly subject: RuleSubject
  /**
   * The document, the position, the member of `metadata` or the part of `facet_display`; undefined
   * where there is one only.
   */
  readonly key: string | undefined
  /** Follows the name of the rule: "pins it to position 2". Equal texts do not contradict. */
  readonly action: string
}

export type RuleClaims = ReadonlyMap<string, RuleClaim>

/** The claims of a rule, by subject and key. */
export function claimsOf({ pin = [], hide = [], metadata = {}, ...rule }: KeptRule): RuleClaims {
  const claims = new Map<string, RuleClaim>()
  const claim = (subject: RuleSubject, key: string | undefined, action: string): void => {
    claims.set(`${subject} ${key ?? ''}`, { subject, key, action })
  }
  for (const id of hide) claim('document', id, 'hides it')
  for (const { id, position } of pin) {
    claim('document', id, `pins it to position ${position}`)
    claim('position', String(position), `pins \`${id}\` there`)
  }
  const { replace_query: replaced, sort_by: sort, redirect, exact_match_boost: exact } = rule
  const { semantic, semantic_weight: weight } = rule
  if (replaced !== undefined) claim('query', undefined, `searches for \`${replaced}\``)
  if (sort !== undefined) claim('sort', undefined, `sorts by \`${[sort].flat().join(', ')}\``)
  if (redirect !== undefined) claim('redirect', undefined, `redirects to \`${targetOf(redirect)}\``)
  if (exact !== undefined) claim('exact_match_boost', undefined, `sets it to \`${exact}\``)
  if (semantic !== undefined) claim('semantic', undefined, `sets it to \`${semantic}\``)
  if (weight !== undefined) claim('semantic_weight', undefined, `sets it to ${weight}`)
  for (const [part, value] of facetParts(rule.facet_display)) {
    claim('facet_display', part, `sets it to \`${shortened(exactJson(value))}\``)
  }
  for (const [name, value] of Object.entries(metadata)) {
    claim('metadata', name, `sets it to \`${shortened(exactJson(value))}\``)
  }
  return claims
}

/** The parts of a display that one rule decides each. */
function facetParts({ order, hide, facets = {} }: FacetDisplay = {}): [string, unknown][] {
  const ofFacets = Object.entries(facets).map(([name, values]): [string, unknown] => [
    `facets.${name}`,
    values,
  ])
  const lists: [string, unknown][] = Object.entries({ order, hide })
  return [...lists.filter(([, list]) => list !== undefined), ...ofFacets]
}

function targetOf(redirect: NonNullable<KeptRule['redirect']>): string {
  return shortened(typeof redirect === 'string' ? redirect : exactJson(redirect))
}

/** Long values differ by their beginning, or the rules say the same for people. */
function shortened(text: string): string {
  return text.length <= VALUE_MAX_CHARS ? text : `${text.slice(0, VALUE_MAX_CHARS).toWellFormed()}…`
}

const VALUE_MAX_CHARS = 200

/** Where two rules contradict each other: the claims of the first one, each with the other's. */
export function contradictions(
  first: RuleClaims,
  second: RuleClaims,
): (readonly [RuleClaim, RuleClaim])[] {
  const found: (readonly [RuleClaim, RuleClaim])[] = []
  const isSmaller = first.size <= second.size
  for (const [key, claim] of isSmaller ? first : second) {
    const other = (isSmaller ? second : first).get(key)
    if (other === undefined || other.action === claim.action) continue
    found.push(isSmaller ? [claim, other] : [other, claim])
  }
  return found
}
