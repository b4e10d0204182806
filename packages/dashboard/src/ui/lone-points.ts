/** Values without a neighbour: no line leads to them, so each is drawn as a point. */
export function lonePoints(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, at) =>
    isAbsent(value) || !isAbsent(values[at - 1]) || !isAbsent(values[at + 1]) ? [] : [at],
  )
}

function isAbsent(value: number | null | undefined): boolean {
  return value === null || value === undefined
}
