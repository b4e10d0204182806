import { RANKING_PARTS, type RankingPart } from '../../packages/engine/src/query/ranking-parts.ts'
import { Searcher } from '../../packages/engine/src/search/searcher.ts'

/**
 * Loaded into a service of the benchmark, first in each of its threads: makes its searcher leave
 * out parts of the ranking. The environment names them, because threads inherit it.
 */
export const WITHOUT_VARIABLE = 'RELEVANCE_WITHOUT'

/**
 * The parts of a list such as `pairs,places`; none for an empty one.
 * @throws Error that names an unknown part
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

const without = rankingPartsNamed(process.env[WITHOUT_VARIABLE] ?? '')
if (without.length > 0) {
  const { search } = Searcher.prototype
  Searcher.prototype.search = function (plan, resolveId) {
    return search.call(this, { ...plan, without }, resolveId)
  }
}
