/** Words of the fixtures with vectors that can be read: cooking, heat, outdoors, clothing … */
export const FIXTURE_WORDS: Readonly<Record<string, readonly number[]>> = {
  a: [1, 1, 1, 1, 0, 0, 0, 1],
  gas: [2, 6, 1, 0, 0, 0, 0, 0],
  camping: [1, 1, 8, 0, 2, 0, 0, 0],
  stove: [9, 5, 2, 0, 0, 0, 0, 0],
  cotton: [0, 0, 0, 7, 0, 1, 0, 0],
  shirt: [0, 0, 0, 9, 0, 0, 1, 0],
  lamp: [0, 2, 2, 0, 9, 0, 0, 0],
}

export const FIXTURE_DIMENSIONS = 8

/** The mean of the known words of a text. @returns undefined if it has none */
export function fixtureVector(text: string, words = FIXTURE_WORDS): number[] | undefined {
  const known = text.split(/\s/).flatMap((word) => {
    const vector = words[word.toLowerCase()]
    return vector === undefined ? [] : [vector]
  })
  if (known.length === 0) return undefined
  const sum = Array.from({ length: FIXTURE_DIMENSIONS }, () => 0)
  for (const vector of known) for (const [i, value] of vector.entries()) sum[i]! += value
  return sum.map((value) => value / known.length)
}
