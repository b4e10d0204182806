/**
 * Takes some of many, spread over the range of their values: one from each of equal parts of the
 * range in turn, so that the first few cover it too.
 *
 * @param parts of the range
 */
export function spreadOver<One>(
  all: readonly One[],
  valueOf: (one: One) => number,
  most: number,
  parts: number,
): One[] {
  const values = all.map(valueOf)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const width = (high - low) / parts
  const byPart = Array.from({ length: parts }, (): One[] => [])
  for (const [i, one] of all.entries()) {
    const part = width === 0 ? 0 : Math.floor((values[i]! - low) / width)
    byPart[Math.min(part, parts - 1)]!.push(one)
  }
  const taken: One[] = []
  for (let round = 0; taken.length < Math.min(most, all.length); round++) {
    for (const part of byPart) {
      const one = part[round]
      if (one !== undefined && taken.length < most) taken.push(one)
    }
  }
  return taken
}
