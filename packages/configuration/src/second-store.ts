/** Suffix of the names of stores that a reindex creates: it continues or deletes no others. */
const SUFFIX = ' (reindex)'
const NAME_MAX_CHARS = 200

/** Name of the store that gets the new schema of a store with this name. */
export function secondStoreName(name: string): string {
  return `${name.slice(0, NAME_MAX_CHARS - SUFFIX.length)}${SUFFIX}`
}

export function isSecondStoreName(name: string): boolean {
  return name.endsWith(SUFFIX)
}
