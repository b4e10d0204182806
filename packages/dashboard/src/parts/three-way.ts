/** A value as its parts, which two people may change without getting in each other's way. */
export type Fields = Readonly<Record<string, unknown>>

/** A part that somebody changed; `undefined` where a version does not have it. */
export interface FieldDifference {
  readonly name: string
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
  /** Both changed it, differently. */
  readonly isConflict: boolean
}

/** What two people changed, each starting from `base`. */
export function differencesOf(base: Fields, mine: Fields, theirs: Fields): FieldDifference[] {
  return namesOf(base, theirs, mine).flatMap((name): FieldDifference[] => {
    const isMine = !isEqual(base[name], mine[name])
    const isTheirs = !isEqual(base[name], theirs[name])
    if (!isMine && !isTheirs) return []
    const isConflict = isMine && isTheirs && !isEqual(mine[name], theirs[name])
    return [{ name, base: base[name], mine: mine[name], theirs: theirs[name], isConflict }]
  })
}

/** Whose value a conflict gets, by field. */
export type Picks = Readonly<Record<string, 'mine' | 'theirs'>>

/** Both changes together. @returns undefined while a conflict is not decided */
export function mergedFields(
  base: Fields,
  mine: Fields,
  theirs: Fields,
  picks: Picks = {},
): Fields | undefined {
  const conflicts = differencesOf(base, mine, theirs).filter(({ isConflict }) => isConflict)
  if (conflicts.some(({ name }) => picks[name] === undefined)) return undefined
  const merged = namesOf(base, theirs, mine).map((name) => {
    const isTheirs = isEqual(base[name], mine[name]) || picks[name] === 'theirs'
    return [name, isTheirs ? theirs[name] : mine[name]] as const
  })
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}

function namesOf(...versions: readonly Fields[]): string[] {
  return [...new Set(versions.flatMap((version) => Object.keys(version)))]
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** A list of lines as fields: each line is there or not. */
export function lineFields(lines: readonly string[]): Fields {
  return Object.fromEntries(lines.map((line) => [line, true]))
}
