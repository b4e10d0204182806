import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { RULE_DESCRIPTION_MAX_CHARS, RULE_SCHEDULE_WINDOWS_MAX } from './limits.ts'
import { STRATEGY_TITLE_MAX_CHARS } from './rule-limits.ts'
import { RuleWindow } from './rules.ts'

const properties = {
  title: Type.String({ minLength: 1, maxLength: STRATEGY_TITLE_MAX_CHARS }),
  description: Optional.String({ maxLength: RULE_DESCRIPTION_MAX_CHARS }),
  enabled: Optional.Boolean({
    default: true,
    description: 'With `false`, none of its rules apply.',
  }),
  schedule: Optional.Array(RuleWindow, {
    minItems: 1,
    maxItems: RULE_SCHEDULE_WINDOWS_MAX,
    description: 'Time windows in which its rules may apply. Absent: always.',
  }),
} as const

export const PutStrategyRequest = Type.Object(properties, {
  $id: 'PutStrategyRequest',
  additionalProperties: false,
})
export type PutStrategyRequest = Static<typeof PutStrategyRequest>

export const Strategy = Type.Object(
  {
    name: Type.String({ description: 'Name of the strategy, which its rules have as `strategy`.' }),
    ...properties,
    enabled: Type.Boolean(),
  },
  { $id: 'Strategy', description: 'Rules that are switched on and off together.' },
)
export type Strategy = Static<typeof Strategy>

export const StrategyList = Type.Object(
  { strategies: Type.Array(Strategy) },
  { $id: 'StrategyList' },
)
