import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { RULES_MAX } from './limits.ts'
import { PutRuleRequest, Rule } from './rules.ts'

const id = Type.String({ minLength: 1, description: 'Id of the rule.' })

const NamedRule = Type.Object({ ...PutRuleRequest.properties, id }, { additionalProperties: false })

export const ChangeRulesRequest = Type.Object(
  {
    put: Optional.Array(NamedRule, {
      maxItems: RULES_MAX,
      description: 'Rules to create or replace.',
    }),
    delete: Optional.Array(id, { maxItems: RULES_MAX, description: 'Ids of rules to delete.' }),
    dry_run: Optional.Boolean({
      default: false,
      description: 'Checks everything and changes nothing.',
    }),
  },
  { $id: 'ChangeRulesRequest', additionalProperties: false },
)
export type ChangeRulesRequest = Static<typeof ChangeRulesRequest>

const ids = (description: string) => Type.Array(Type.String(), { description })

export const ChangedRules = Type.Object(
  {
    created: ids('Rules that did not exist.'),
    replaced: ids('Rules that are different now.'),
    unchanged: ids('Rules that were the same already.'),
    deleted: ids('Rules that are gone.'),
    dry_run: Type.Boolean({ description: 'Whether nothing was changed.' }),
  },
  { $id: 'ChangedRules' },
)
export type ChangedRules = Static<typeof ChangedRules>

export const OrderRulesRequest = Type.Object(
  {
    order: Type.Array(id, {
      maxItems: RULES_MAX,
      description: 'The ids of all rules, the first one to apply first.',
    }),
  },
  { $id: 'OrderRulesRequest', additionalProperties: false },
)
export type OrderRulesRequest = Static<typeof OrderRulesRequest>

export const OrderedRules = Type.Object(
  {
    changed: Type.Array(Type.Object({ id: Rule.properties.id, priority: Type.Integer() }), {
      description: 'The rules with a new priority.',
    }),
  },
  { $id: 'OrderedRules' },
)
export type OrderedRules = Static<typeof OrderedRules>
