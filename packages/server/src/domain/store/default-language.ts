/** Of a store that was never told which language its documents are in. */
export const DEFAULT_LANGUAGE = 'en'
