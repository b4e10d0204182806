import { rankingParts } from '../../packages/engine/src/scoring/ranking-parts.ts'

/**
 * Loaded into a service of the bench, in each of its threads, before all else: takes parts of the
 * ranking out. Which ones says the environment, for it is passed on to threads.
 */
export const WITHOUT_VARIABLE = 'RELEVANCE_WITHOUT'

export type RankingPart = keyof typeof rankingParts

export const RANKING_PARTS = Object.keys(rankingParts) as RankingPart[]

/**
 * The parts of a list such as `vouching,pairs`; none for an empty one.
 * @throws Error that names the part that the ranking does not have
 */
export function rankingPartsNamed(list: string): RankingPart[] {
  return list.split(',').flatMap((name) => {
    if (name === '') return []
    const part = RANKING_PARTS.find((known) => known === name)
    if (part !== undefined) return [part]
    const known = RANKING_PARTS.join(', ')
    throw new Error(`The ranking has no part "${name}" to leave out: expected ${known}`)
  })
}

for (const part of (process.env[WITHOUT_VARIABLE] ?? '').split(',')) {
  const known = RANKING_PARTS.find((name) => name === part)
  if (known !== undefined) rankingParts[known] = false
}
