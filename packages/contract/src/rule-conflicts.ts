import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'

/** What two rules can decide for the same search, where the first one wins. */
export const RULE_SUBJECTS = [
  'document',
  'position',
  'query',
  'sort',
  'redirect',
  'metadata',
  'facet_display',
  'exact_match_boost',
  'semantic',
  'semantic_weight',
] as const
export type RuleSubject = (typeof RULE_SUBJECTS)[number]

const RuleClaim = Type.Object(
  {
    id: Type.String({ description: 'Id of the rule.' }),
    title: Type.String({ description: 'Its description, otherwise its id.' }),
    action: Type.String({ description: 'What it does, as a sentence without subject.' }),
  },
  { $id: 'RuleClaim' },
)

export const RuleConflict = Type.Object(
  {
    subject: Type.Enum([...RULE_SUBJECTS], { description: 'What both rules decide.' }),
    key: Optional.String({
      description:
        'The document id, the position, the member of `metadata` or the part of `facet_display`.',
    }),
    winner: RuleClaim,
    loser: RuleClaim,
    search: Type.Object(
      {
        q: Type.String(),
        filter_by: Optional.String({}),
        rule_contexts: Optional.Array(Type.String()),
      },
      { description: 'A search to which both rules apply.' },
    ),
  },
  {
    $id: 'RuleConflict',
    description: 'Two rules that apply to the same search and contradict each other.',
  },
)
export type RuleConflict = Static<typeof RuleConflict>

export const RuleConflictParameters = Type.Object(
  {
    rule_id: Optional.String({ description: 'Only the conflicts of this rule.' }),
  },
  { additionalProperties: false },
)
export type RuleConflictParameters = Static<typeof RuleConflictParameters>

export const RuleConflictList = Type.Object(
  {
    conflicts: Type.Array(RuleConflict, {
      description: 'In the order in which the winning rules apply.',
    }),
    is_complete: Type.Boolean({
      description: 'Whether these are all: a list ends at the limits in docs/operating.md.',
    }),
    warnings: Optional.Array(Type.String(), { description: 'Where an incomplete list ends.' }),
  },
  { $id: 'RuleConflictList' },
)
export type RuleConflictList = Static<typeof RuleConflictList>
