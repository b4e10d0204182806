/** The limits of personal results: docs/personal-results.md. */

/** The largest share by which a visitor's taste raises the points of a document. */
export const PERSONALIZE_LIMIT_DEFAULT = 0.2
export const PERSONALIZE_LIMIT_MAX = 0.5
/** Fields whose values a visitor may prefer. */
export const PERSONALIZE_FIELDS_MAX = 8
/** Preferences of a visitor that lift results: the strongest. */
export const PERSONALIZE_LIFTS_MAX = 16
/** Time that a search waits for the taste of its visitor. */
export const PERSONALIZE_BUDGET_MS = 20
/** Tastes that a serving thread remembers, and for how long. */
export const TASTES_REMEMBERED_MAX = 1_000
export const TASTE_REMEMBERED_MS = 60_000
/** How long a serving thread remembers what all visitors look at. */
export const CROWD_REMEMBERED_MS = 600_000
/** Shares of the catalog that a serving thread remembers, and for how long. */
export const CATALOG_SHARES_REMEMBERED_MAX = 5_000
export const CATALOG_SHARE_REMEMBERED_MS = 600_000
