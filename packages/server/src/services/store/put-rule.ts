import { ApiError, type PutRuleRequest } from '@aisle/contract'
import { exactJson } from '../../domain/json/json-exact.ts'
import { checkResourceName } from '../../domain/store/resource-name.ts'
import { checkRule, type RuleContext } from '../../domain/rules/rule-check.ts'
import type { KeptRule } from '../../domain/rules/rule-set.ts'
import { strategiesOf } from '../../domain/rules/strategies.ts'
import type { Resource } from '../../ports/catalog/resource-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import { putResource, RULE } from './resources.ts'
import { storeCollections } from '../store-collections.ts'

/** Creates or replaces a rule. @throws ApiError */
export function putRule(
  ports: Pick<ServicePorts, 'writer' | 'resources' | 'backend'>,
  storeId: string,
  name: string,
  request: PutRuleRequest,
  ifMatch?: string,
): Promise<string> {
  const kept = keptRule(ports, storeId, name, request)
  return putResource(ports, storeId, RULE, name, kept, ifMatch)
}

/** A rule as it is stored. @throws ApiError */
export function keptRule(
  ports: Pick<ServicePorts, 'backend'>,
  storeId: string,
  name: string,
  request: PutRuleRequest,
): KeptRule {
  if (request.id !== undefined && request.id !== name) {
    throw new ApiError('invalid_parameter', 'Parameter `id` must be the id in the path', {
      param: 'id',
    })
  }
  return checkedRule(ports, storeId, request)
}

/**
 * An unsaved rule in the form of a saved one, as if it and its strategy were on.
 *
 * @throws ApiError
 */
export function unsavedRule(
  ports: Pick<ServicePorts, 'backend'>,
  storeId: string,
  request: PutRuleRequest,
): Resource {
  const { strategy: _, ...rule } = checkedRule(ports, storeId, { ...request, enabled: true })
  const name = request.id === undefined ? UNNAMED : checkResourceName(request.id, 'id')
  return { kind: 'rule', name, json: exactJson(rule) }
}

/** No saved rule can have this id. */
const UNNAMED = '(preview)'

function checkedRule(
  ports: Pick<ServicePorts, 'backend'>,
  storeId: string,
  request: PutRuleRequest,
): KeptRule {
  return checkedIn(ruleContext(openView(ports, storeId)), request)
}

/** What the rules of a store are checked against. */
export function ruleContext({ schema = NO_SCHEMA, analyzer, resources }: SearchView): RuleContext {
  const strategies = strategiesOf(resources.list('strategy'))
  return { schema, analyzer, strategies, collections: storeCollections(resources) }
}

/** A rule as it is stored, checked against a store. @throws ApiError */
export function checkedIn(context: RuleContext, request: PutRuleRequest): KeptRule {
  checkRule(request, context)
  const { id: _, enabled = true, priority = 0, ...rest } = request
  return { enabled, priority, ...rest }
}
