import { rankingParts } from '../../packages/engine/src/scoring/ranking-parts.ts'

/**
 * Loaded into a service of the bench, in each of its threads, before all else: takes parts of the
 * ranking out. Which ones says the environment, for it is passed on to threads.
 */
export const WITHOUT_VARIABLE = 'RELEVANCE_WITHOUT'

export type RankingPart = keyof typeof rankingParts

export const RANKING_PARTS = Object.keys(rankingParts) as RankingPart[]

for (const part of (process.env[WITHOUT_VARIABLE] ?? '').split(',')) {
  const known = RANKING_PARTS.find((name) => name === part)
  if (known !== undefined) rankingParts[known] = false
}
