/** Numbers sorted or merged between two looks at the clock: some 2 ms if they stand for texts. */
const NUMBERS_PER_CHECK = 1_024

/** Sorts many numbers whose comparison is slow: in runs, which are merged in pairs. */
export function* sortInSteps(
  numbers: number[],
  compare: (a: number, b: number) => number,
  isTurnOver?: () => boolean,
): Generator<void, number[]> {
  if (numbers.length <= NUMBERS_PER_CHECK) return numbers.sort(compare)
  let runs: number[][] = []
  for (let from = 0; from < numbers.length; from += NUMBERS_PER_CHECK) {
    if (isTurnOver?.() === true) yield
    runs.push(numbers.slice(from, from + NUMBERS_PER_CHECK).sort(compare))
  }
  while (runs.length > 1) {
    const longer: number[][] = []
    for (let i = 0; i + 1 < runs.length; i += 2) {
      longer.push(yield* merged(runs[i]!, runs[i + 1]!, compare, isTurnOver))
    }
    if (runs.length % 2 === 1) longer.push(runs.at(-1)!)
    runs = longer
  }
  return runs[0]!
}

function* merged(
  a: readonly number[],
  b: readonly number[],
  compare: (a: number, b: number) => number,
  isTurnOver: (() => boolean) | undefined,
): Generator<void, number[]> {
  const both: number[] = []
  for (let i = 0, k = 0; i < a.length || k < b.length;) {
    if (both.length % NUMBERS_PER_CHECK === 0 && isTurnOver?.() === true) yield
    const isFirst = k === b.length || (i < a.length && compare(a[i]!, b[k]!) <= 0)
    both.push(isFirst ? a[i++]! : b[k++]!)
  }
  return both
}
