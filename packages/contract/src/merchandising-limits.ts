/** The limits of what a merchandiser's queue and edits of many documents may ask for. */

/** Days of searches in the list of missed searches. */
export const MISSED_SEARCH_DAYS_DEFAULT = 30
export const MISSED_SEARCH_DAYS_MAX = 365
/** Missed searches per page. */
export const MISSED_SEARCHES_DEFAULT = 20
export const MISSED_SEARCHES_MAX = 100
export const MISSED_SEARCH_PAGE_MAX = 100
/** Missed searches that a store remembers as fixed or dismissed; then the oldest is dropped. */
export const MISSED_DECISIONS_MAX = 1_000
/** Mends tried for one missed search, each by a separate search. */
export const MISSED_MENDS_TRIED_MAX = 12
/** Time for the searches of one request for missed searches or mends. */
export const MISSED_SEARCHES_MAX_MS = 2_000
/** Products that a mend may pin. */
export const MISSED_MEND_PINS_MAX = 10
/** Length of the two windows that the effect of a fix compares. */
export const MISSED_EFFECT_MIN_DAYS = 7
export const MISSED_EFFECT_MAX_DAYS = 28
/** Searches that each window must have. */
export const MISSED_EFFECT_SEARCHES_MIN = 20
/** Documents that one edit may change. */
export const EDIT_DOCUMENTS_MAX = 1_000_000
/** Documents of an edit that finds them by words; those of a filter alone have no such limit. */
export const EDIT_SEARCH_DOCUMENTS_MAX = 10_000
/** Documents on which the preview of an edit tries it, and those that it shows. */
export const EDIT_PREVIEW_CHECKED_MAX = 2_000
export const EDIT_PREVIEW_SHOWN_MAX = 20
/** Ids and refusals that an edit lists; it counts all. */
export const EDIT_IDS_SHOWN_MAX = 100
export const EDIT_NOTE_MAX_CHARS = 500
/** Edits of a store that are kept, with the former values of the documents for an undo. */
export const EDITS_PER_STORE_MAX = 50
export const EDIT_HISTORY_MAX_DAYS = 30
/** Compressed, all edits of a store together: the oldest lose their former values first. */
export const EDIT_HISTORY_MAX_BYTES = 200_000_000
/** Collections of a store. */
export const COLLECTIONS_MAX = 1_000
export const COLLECTION_TITLE_MAX_CHARS = 200
/** Facets that are ordered, hidden, or whose values are arranged. */
export const FACET_DISPLAY_FACETS_MAX = 200
/** Values of one facet that are pinned, or hidden. */
export const FACET_DISPLAY_VALUES_MAX = 500
export const FACET_DISPLAY_VALUE_MAX_CHARS = 500
/** Size of the arrangement of a store, or of a rule, as JSON. */
export const FACET_DISPLAY_MAX_BYTES = 64_000
