import {
  ApiError,
  RULE_PRIORITY_MAX,
  type ChangedRules,
  type ChangeRulesRequest,
  type ErrorDetail,
  type OrderedRules,
  type OrderRulesRequest,
} from '@aisle/contract'
import { exactJson } from '../../domain/json/json-exact.ts'
import { parseExact } from '../../domain/json/json-scan.ts'
import { reordered, type PlacedRule } from '../../domain/rules/rule-order.ts'
import type { KeptRule } from '../../domain/rules/rule-set.ts'
import { checkResourceName } from '../../domain/store/resource-name.ts'
import { requireListMatch } from '../../domain/values/preconditions.ts'
import { resourceMemo } from '../../domain/store/resource-memo.ts'
import type { ResourceChange } from '../../domain/store/resource.ts'
import type { Awaitable } from '../../ports/awaitable.ts'
import { restIfDue, type Turns } from '../../ports/search/turns.ts'
import type { ServicePorts } from '../service-ports.ts'
import { nestedError } from '../nested-error.ts'
import { openView } from '../open-view.ts'
import { checkedIn, ruleContext } from './put-rule.ts'
import { listResources, RULE } from './resources.ts'

type Ports = Pick<ServicePorts, 'writer' | 'resources' | 'backend'>
type Changed = Omit<ChangedRules, 'dry_run'>

/** Attempts to write what must not have changed, while others write. */
const ATTEMPTS_MAX = 10
/** Faults that an error lists. */
const DETAILS_MAX = 100

/**
 * Creates, replaces and deletes rules together: all of them, or none.
 *
 * @param ifMatch the `ETag` of the list of rules
 * @throws ApiError that lists the faults of all rules, each with its place
 */
export async function changeRules(
  ports: Ports,
  storeId: string,
  { put = [], delete: deleted = [], dry_run: isDry = false }: ChangeRulesRequest,
  ifMatch: string | undefined,
  turns: Turns,
): Promise<ChangedRules> {
  const puts = await keptRules(ports, storeId, put, turns)
  requireOnce([...put.map(({ id }) => id), ...deleted])
  return changeAll(ports, storeId, ifMatch, () => {
    const present = ports.resources.of(storeId)
    const changed: Changed = { created: [], replaced: [], unchanged: [], deleted: [...deleted] }
    const removes = deleted.map((name, i) => {
      const before = present.get('rule', name)
      if (before !== undefined) return { kind: 'rule' as const, name, replaces: before.json }
      throw new ApiError('rule_not_found', `There is no rule \`${name.slice(0, 150)}\` to delete`, {
        param: `delete[${i}]`,
      })
    })
    const written = puts.flatMap((rule): ResourceChange['puts'] => {
      const before = present.get('rule', rule.name)
      const list =
        before === undefined ? 'created' : before.json === rule.json ? 'unchanged' : 'replaced'
      changed[list].push(rule.name)
      if (before === undefined) return [{ ...rule, insert: true }]
      return before.json === rule.json ? [] : [{ ...rule, replaces: before.json }]
    })
    const change = { puts: isDry ? [] : written, removes: isDry ? [] : removes }
    return { change, answer: { ...changed, dry_run: isDry } }
  })
}

/** Gives rules the priorities that put them into an order. @throws ApiError */
export async function orderRules(
  ports: Ports,
  storeId: string,
  { order }: OrderRulesRequest,
  ifMatch: string | undefined,
  turns: Turns,
): Promise<OrderedRules> {
  requireOnce(order, 'order')
  return changeAll(ports, storeId, ifMatch, async () => {
    const all = ports.resources.of(storeId)
    const rules: PlacedRule[] = []
    for (const [i, id] of order.entries()) {
      await restIfDue(turns)
      const rule = all.get('rule', id)
      if (rule === undefined) {
        throw new ApiError('rule_not_found', `There is no rule \`${id.slice(0, 150)}\``, {
          param: `order[${i}]`,
        })
      }
      rules.push({ id, priority: keptRule(rule).priority ?? 0 })
    }
    if (rules.length < all.list('rule').length) {
      const named = new Set(order)
      const missing = all.list('rule').find(({ name }) => !named.has(name))
      throw new ApiError(
        'invalid_parameter',
        `Parameter \`order\` must name every rule of the store: \`${missing?.name}\` is missing`,
        { param: 'order' },
      )
    }
    const changed = reordered(rules, RULE_PRIORITY_MAX)
    const puts: ResourceChange['puts'][number][] = []
    for (const { id, priority } of changed) {
      await restIfDue(turns)
      const before = all.get('rule', id)!
      const json = exactJson({ ...keptRule(before), priority })
      puts.push({ kind: 'rule', name: id, json, replaces: before.json })
    }
    return { change: { puts, removes: [] }, answer: { changed } }
  })
}

const keptRule = resourceMemo(({ json }) => parseExact(json) as KeptRule)

/** Checks and writes; starts over if somebody else has written in between. */
async function changeAll<Answer>(
  { writer, resources }: Ports,
  storeId: string,
  ifMatch: string | undefined,
  next: () => Awaitable<{ readonly change: ResourceChange; readonly answer: Answer }>,
): Promise<Answer> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    requireListMatch(ifMatch, () => listResources({ resources }, storeId, RULE, 'rules'))
    const { change, answer } = await next()
    if (change.puts.length + change.removes.length === 0) return answer
    if (await writer.changeResources(storeId, change)) return answer
  }
  const message = 'Other requests are changing these rules: try again'
  throw new ApiError('unavailable', message, { retryAfterSeconds: 1 })
}

/** Rules as they are stored. @throws ApiError with the faults of all of them */
async function keptRules(
  ports: Ports,
  storeId: string,
  rules: NonNullable<ChangeRulesRequest['put']>,
  turns: Turns,
): Promise<{ readonly kind: 'rule'; readonly name: string; readonly json: string }[]> {
  const context = ruleContext(openView(ports, storeId))
  const details: ErrorDetail[] = []
  const kept: { readonly kind: 'rule'; readonly name: string; readonly json: string }[] = []
  for (const [i, rule] of rules.entries()) {
    await restIfDue(turns)
    try {
      const name = checkResourceName(rule.id, 'id')
      kept.push({ kind: 'rule', name, json: exactJson(checkedIn(context, rule)) })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      details.push(...nestedError(`put[${i}]`, error).details)
      if (details.length >= DETAILS_MAX) break
    }
  }
  const [first] = details
  if (first === undefined) return kept
  throw new ApiError(first.code, first.message, {
    param: first.param,
    details: details.slice(0, DETAILS_MAX),
  })
}

/** @throws ApiError if an id occurs twice */
function requireOnce(ids: readonly string[], param = 'put'): void {
  const seen = new Set<string>()
  for (const id of ids) {
    if (seen.has(id)) {
      throw new ApiError(
        'invalid_parameter',
        `Parameter \`${param}\` names the rule \`${id.slice(0, 150)}\` twice`,
        { param },
      )
    }
    seen.add(id)
  }
}
