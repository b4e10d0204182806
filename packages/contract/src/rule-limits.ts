/** The limits of changes to many rules, of strategies and of conflicts: docs/rules.md. */

export const STRATEGIES_MAX = 200
export const STRATEGY_TITLE_MAX_CHARS = 200
/** Bytes of a request that changes many rules. */
export const RULE_CHANGES_MAX_BYTES = 4_000_000
/** Conflicts in a response. */
export const RULE_CONFLICTS_MAX = 1_000
/** Comparisons of two rules for one list of conflicts. */
export const RULE_COMPARISONS_MAX = 1_000_000
