/** What stands between the names of a path of categories. */
export const PATH_MARKS = ['>', '/'] as const
export type PathMark = (typeof PATH_MARKS)[number]

/** Levels of a path that become fields. */
export const LEVELS_MAX = 8
/** As hierarchical menus of InstantSearch expect it between the names of a level. */
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
