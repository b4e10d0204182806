import { SeededRandom } from '@aisle/server/random'

export { SeededRandom }

/** Numbers in [0, 1), the same for the same seed, so that a failure can be repeated. */
export function seededRandom(seed: number): () => number {
  const random = new SeededRandom(seed)
  return () => random.next()
}

/** Integers in [0, below), the same for the same seed. */
export function seededIntegers(seed: number): (below: number) => number {
  const random = new SeededRandom(seed)
  return (below) => random.below(below)
}
