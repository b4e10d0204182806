/** The limits of experiments: docs/experiments.md. */

/** Experiments that a store remembers, ended ones included; then the oldest is forgotten. */
export const EXPERIMENTS_MAX = 50
/** The field or value of a category page; reports shorten longer ones. */
export const EXPERIMENT_CATEGORY_MAX_CHARS = 200
/** Experiments of a store at the same time. */
export const EXPERIMENTS_RUNNING_MAX = 4
export const EXPERIMENT_NAME_MAX_CHARS = 100
/** An experiment that nobody ends stops after this time. */
export const EXPERIMENT_DAYS_MAX = 90
/** Nothing is decided before whole weeks of visitors. */
export const EXPERIMENT_DAYS_MIN = 7
/** Visitors of each arm, or votes, before anything is decided. */
export const EXPERIMENT_VISITORS_MIN = 100
/** Percent of visitors who get the draft. */
export const EXPERIMENT_PERCENT_DEFAULT = 50
export const EXPERIMENT_PERCENT_MIN = 5
export const EXPERIMENT_PERCENT_MAX = 95
/** Percent of experiments without a difference that are ever decided, at most. */
export const EXPERIMENT_ERROR_PERCENT = 5
/** Tags that a report of an experiment sets side by side, those of most searches first. */
export const EXPERIMENT_REPORT_TAGS_MAX = 50
/** Results that an experiment interleaves; a page that reaches further has the live order. */
export const EXPERIMENT_DEPTH = 100
