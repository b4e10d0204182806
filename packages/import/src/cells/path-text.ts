/** Delimiters of category paths. */
export const PATH_MARKS = ['>', '/'] as const
export type PathMark = (typeof PATH_MARKS)[number]

/** Maximum of path levels that become fields. */
export const LEVELS_MAX = 8
/** The delimiter that hierarchical menus of InstantSearch expect. */
const LEVEL_MARK = ' > '

/** The names of a path, the root first. */
export function namesOfPath(text: string, mark: PathMark): string[] {
  return text
    .split(mark)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** `A > B > C` as `A`, `A > B` and `A > B > C`. */
export function levelsOf(names: readonly string[]): string[] {
  return names.slice(0, LEVELS_MAX).map((_, i) => names.slice(0, i + 1).join(LEVEL_MARK))
}

/** The field of a level: `category.lvl0`. */
export function levelField(field: string, level: number): string {
  return `${field}.lvl${level}`
}
