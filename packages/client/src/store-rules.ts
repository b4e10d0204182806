import type {
  ChangedRules,
  ChangeRulesRequest,
  OrderedRules,
  OrderRulesRequest,
  PreviewRuleRequest,
  RuleConflictList,
  RuleConflictParameters,
  RulePreview,
} from '@aisle/contract'
import { StoreExperiments } from './store-experiments.ts'
import type { AnyDocument } from './store-search.ts'
import type { Tagged } from './store-values.ts'
import { textQuery } from './text-query.ts'

type NamedRule = NonNullable<ChangeRulesRequest['put']>[number]

/** The rules of a store, many at a time; one at a time they are resources like others. */
export class StoreRules<Document = AnyDocument> extends StoreExperiments<Document> {
  /** All rules, by id, with the `etag` that `changeRules` and `orderRules` take. */
  async taggedRules(): Promise<Tagged<readonly NamedRule[]>> {
    const { value, etag } = await this.tagged<{ readonly rules: NamedRule[] }>('/rules')
    return { value: value.rules, etag }
  }

  /**
   * Creates, replaces and deletes rules: all of them, or none.
   *
   * @param ifMatch the `etag` of all rules; without it, the last write wins
   */
  changeRules(request: ChangeRulesRequest, ifMatch?: string): Promise<ChangedRules> {
    return this.call('write', 'PATCH', '/rules', { body: request, ifMatch })
  }

  /** @param ifMatch as for `changeRules` */
  orderRules(request: OrderRulesRequest, ifMatch?: string): Promise<OrderedRules> {
    return this.call('write', 'PUT', '/rule-order', { body: request, ifMatch })
  }

  /** Where saved rules contradict each other. */
  ruleConflicts(parameters: RuleConflictParameters = {}): Promise<RuleConflictList> {
    return this.call('write', 'GET', '/rule-conflicts', { query: textQuery(parameters) })
  }

  /** Compares a search with and without an unsaved rule. */
  previewRule(request: PreviewRuleRequest): Promise<RulePreview> {
    return this.call('write', 'POST', '/rules/preview', { body: request })
  }
}
