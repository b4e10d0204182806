import {
  ApiError,
  PutRuleRequest,
  RULE_TEXT_MAX_CHARS,
  SYNONYM_ITEMS_MAX,
  SYNONYM_MAX_CHARS,
  TRAFFIC_SYNONYM_SET,
  type ErrorCode,
  type Mend,
  type MendKind,
  type PutSynonymSetRequest,
  type SynonymItem,
} from '@aisle/contract'
import { literalReader } from '@aisle/contract/check'
import { exactJson } from '../../domain/json/json-exact.ts'
import type { ResourceChange } from '../../domain/store/resource.ts'
import { pairKey } from '../../domain/words/replaceable-phrases.ts'
import type { Resource, StoreResources } from '../../ports/catalog/resource-reader.ts'
import { nestedError } from '../nested-error.ts'
import { openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { keptRule } from './put-rule.ts'

/** What a mend adds to a store: an entry of a synonym set, or a rule. */
export type MendChange =
  | { readonly kind: 'synonym'; readonly item: SynonymItem }
  | { readonly kind: 'rule'; readonly json: string }

/** Members of each kind of mend besides `kind`, and the required ones. */
const MEMBERS: Readonly<
  Record<
    MendKind,
    { readonly needs: readonly MendMember[]; readonly allows: readonly MendMember[] }
  >
> = {
  synonym: { needs: ['to'], allows: ['from', 'both_ways'] },
  replace_query: { needs: ['to'], allows: [] },
  category: { needs: ['field', 'value'], allows: [] },
  redirect: { needs: ['url'], allows: ['field', 'value'] },
  pin: { needs: ['documents'], allows: [] },
}
type MendMember = Exclude<keyof Mend, 'kind'>

/**
 * @param query as reports show it
 * @returns what the mend adds
 * @throws ApiError with a parameter inside `mend`
 */
export function mendChange(
  ports: Pick<ServicePorts, 'backend'>,
  storeId: string,
  query: string,
  mend: Mend,
): MendChange {
  checkMembers(mend)
  if (mend.kind === 'synonym')
    return { kind: 'synonym', item: synonymOf(ports, storeId, query, mend) }
  try {
    const rule = keptRule(ports, storeId, '', readRule(ruleOf(query, mend)))
    return { kind: 'rule', json: exactJson(rule) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { needs } = MEMBERS[mend.kind]
    const member = FIELD_ERRORS.has(error.code) ? 'field' : needs.at(-1)
    const param = /^(when|query)/.test(error.param ?? '') ? 'query' : `mend.${member}`
    throw new ApiError(error.code, error.message, { param })
  }
}

/** Members that are made of others may be longer than a rule allows. */
const readRule = literalReader<PutRuleRequest>(PutRuleRequest)

/** Whether a rule can have this query as its condition. */
export function fitsRule(query: string): boolean {
  return [...query].length <= RULE_TEXT_MAX_CHARS
}

/** Errors of a filter that are about its field, not about the value. */
const FIELD_ERRORS: ReadonlySet<ErrorCode> = new Set(['unknown_field', 'field_not_filterable'])

function checkMembers(mend: Mend): void {
  const { kind, ...members } = mend
  const { needs, allows } = MEMBERS[kind]
  for (const name of needs) {
    if (members[name] !== undefined) continue
    throw new ApiError('missing_parameter', `Parameter \`mend.${name}\` is required`, {
      param: `mend.${name}`,
    })
  }
  for (const name of Object.keys(members) as MendMember[]) {
    if (needs.includes(name) || allows.includes(name)) continue
    throw new ApiError(
      'invalid_parameter',
      `Parameter \`mend.${name}\` does not apply to the kind \`${kind}\``,
      { param: `mend.${name}` },
    )
  }
}

function synonymOf(
  ports: Pick<ServicePorts, 'backend'>,
  storeId: string,
  query: string,
  { from = query, to = '', both_ways: isMutual = false }: Mend,
): SynonymItem {
  const { analyzer } = openView(ports, storeId)
  const refuse = (param: string, expected: string): ApiError =>
    nestedError(
      'mend',
      new ApiError('invalid_parameter', `Parameter \`mend.${param}\` ${expected}`, { param }),
    )
  if (from.length > SYNONYM_MAX_CHARS) {
    throw refuse(
      'from',
      `must name the words to replace: the query is longer than ${SYNONYM_MAX_CHARS} characters`,
    )
  }
  for (const [param, text] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (analyzer.analyze(text).length === 0) throw refuse(param, 'must contain a word')
  }
  const [a, b] = pairKey(from, to, analyzer).split('\n')
  if (a === b) throw refuse('to', 'must have other words than `from`')
  return isMutual ? { synonyms: [from, to] } : { root: from, synonyms: [to] }
}

function ruleOf(query: string, mend: Mend): PutRuleRequest {
  if (!fitsRule(query)) {
    throw new ApiError(
      'invalid_parameter',
      `Parameter \`query\` must have at most ${RULE_TEXT_MAX_CHARS} characters, because a rule compares it: add a synonym for some of its words`,
      { param: 'query' },
    )
  }
  const { to = '*', field = '', value = '', url = '', documents = [] } = mend
  const rule = {
    description: [...`Fixes the missed search “${query}”`].slice(0, RULE_TEXT_MAX_CHARS).join(''),
    when: [{ query, match: 'exact' as const }],
  }
  if (mend.kind === 'replace_query') return { ...rule, replace_query: to }
  if (mend.kind === 'redirect') return { ...rule, redirect: url }
  if (mend.kind === 'pin') {
    return { ...rule, pin: documents.map((id, i) => ({ id, position: i + 1 })) }
  }
  return { ...rule, replace_query: '*', filter_by: `${quoted(field)}:=${quoted(value)}` }
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"`]/g, String.raw`\$&`)}"`
}

/** A mend in a store: the change of its resources, and what undoes it. */
export interface PlacedMend {
  readonly change: ResourceChange
  readonly placed: MendPlace | undefined
}

/** Where a mend was put. */
export type MendPlace =
  | {
      readonly kind: 'synonym_set'
      readonly name: string
      readonly item: SynonymItem
      /** The set did not exist before. */
      readonly isCreated: boolean
    }
  | { readonly kind: 'rule'; readonly name: string; readonly json: string }

/**
 * Places a mend beside what the store has: a synonym goes to the set for synonyms from traffic,
 * which applies to all searches, or to another like it if somebody has switched that off or it is
 * full; a rule gets a new id.
 */
export function placeMend(resources: StoreResources, key: string, change: MendChange): PlacedMend {
  if (change.kind === 'rule') {
    const name = freeName(`missed-search-${key}`, (one) => resources.get('rule', one) === undefined)
    const put = { kind: 'rule', name, json: change.json, insert: true } as const
    return {
      change: { puts: [put], removes: [] },
      placed: { kind: 'rule', name, json: change.json },
    }
  }
  const { item } = change
  const name = freeName(TRAFFIC_SYNONYM_SET, (one) =>
    takesEntries(resources.get('synonymSet', one)),
  )
  const before = resources.get('synonymSet', name)
  const { items } = entriesOf(before)
  if (items.some((one) => isSame(one, item))) {
    return { change: { puts: [], removes: [] }, placed: undefined }
  }
  const json = exactJson({ items: [...items, item], default: true })
  const guard = before === undefined ? { insert: true } : { replaces: before.json }
  return {
    change: { puts: [{ kind: 'synonymSet', name, json, ...guard }], removes: [] },
    placed: { kind: 'synonym_set', name, item, isCreated: before === undefined },
  }
}

/**
 * Reverts a mend, except for what somebody has changed since.
 *
 * @returns `keptRule` if somebody has edited the rule
 */
export function takeMendBack(
  resources: StoreResources,
  place: MendPlace | undefined,
): { readonly change: ResourceChange; readonly keptRule?: string } {
  const nothing = { puts: [], removes: [] }
  if (place === undefined) return { change: nothing }
  const { name } = place
  if (place.kind === 'rule') {
    const now = resources.get('rule', name)
    if (now === undefined) return { change: nothing }
    if (now.json !== place.json) return { change: nothing, keptRule: name }
    return { change: { puts: [], removes: [{ kind: 'rule', name, replaces: now.json }] } }
  }
  const before = resources.get('synonymSet', name)
  if (before === undefined) return { change: nothing }
  const set = entriesOf(before)
  const items = set.items.filter((one) => !isSame(one, place.item))
  if (items.length === set.items.length) return { change: nothing }
  if (items.length === 0 && place.isCreated) {
    return { change: { puts: [], removes: [{ kind: 'synonymSet', name, replaces: before.json }] } }
  }
  const json = exactJson({ ...set, items })
  return {
    change: { puts: [{ kind: 'synonymSet', name, json, replaces: before.json }], removes: [] },
  }
}

/** The first of `name`, `name-2`, `name-3` … that is free. */
function freeName(name: string, isFree: (name: string) => boolean): string {
  for (let i = 1; ; i++) {
    const one = i === 1 ? name : `${name}-${i}`
    if (isFree(one)) return one
  }
}

function takesEntries(set: Resource | undefined): boolean {
  if (set === undefined) return true
  const { items, default: isDefault } = entriesOf(set)
  return isDefault === true && items.length < SYNONYM_ITEMS_MAX
}

function entriesOf(set: Resource | undefined): PutSynonymSetRequest {
  if (set === undefined) return { items: [], default: true }
  return JSON.parse(set.json) as PutSynonymSetRequest
}

function isSame(a: SynonymItem, b: SynonymItem): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
