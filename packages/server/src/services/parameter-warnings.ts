/** More warnings of one kind would not help. */
export const WARNINGS_MAX = 20

export function unknownParameterWarnings(names: readonly string[]): string[] {
  return names
    .slice(0, WARNINGS_MAX)
    .map((name) => `Unknown parameter \`${name.slice(0, 100).toWellFormed()}\` is ignored`)
}
