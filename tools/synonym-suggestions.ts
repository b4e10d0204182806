import { parseArgs } from 'node:util'
import { SYNONYM_THRESHOLDS } from '../packages/server/src/domain/values/synonym-evidence.ts'
import { countHistory, suggestedPairs } from './synonyms/counted.ts'
import {
  isOneField,
  madeHistory,
  USUAL_TRAFFIC,
  type MadeTraffic,
} from './synonyms/made-history.ts'

/**
 * `npm run synonym-suggestions -- --seeds 5`: precision and recall of synonym suggestions on
 * generated histories, and the same without each of the thresholds.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
  },
})
const seeds = Number(values.seeds)
if (!(seeds > 0)) {
  console.error('Usage: npm run synonym-suggestions -- [--seeds N]')
  process.exit(2)
}

const TRAFFICS: Readonly<Record<string, Partial<MadeTraffic>>> = {
  usual: {},
  'a small shop': { visitors: 600 },
  'much noise': { otherThing: 0.25, otherColour: 0.1, fashion: 0.15, noise: 0.4 },
  'no synonyms': { synonym: 0 },
}
const VARIANTS = {
  all: {},
  'no chance test': { liftMin: 0, shareMin: 0 },
  'no shared clicks': { sharedMin: 0, unknownVisitorsMin: 0 },
  'one visitor': { visitorsMin: 1 },
} as const

console.log('traffic        thresholds         suggested  right  precision  recall')
for (const [name, traffic] of Object.entries(TRAFFICS)) {
  const made = []
  for (let seed = 1; seed <= seeds; seed++) {
    const history = madeHistory({ ...USUAL_TRAFFIC, ...traffic, seed })
    made.push({ history, counts: await countHistory(history.events) })
  }
  for (const [variant, limits] of Object.entries(VARIANTS)) {
    let [suggested, right, findable] = [0, 0, 0]
    for (const { history, counts } of made) {
      const all = { ...SYNONYM_THRESHOLDS, ...limits }
      const pairs = suggestedPairs(counts, all, isOneField)
      suggested += pairs.length
      right += pairs.filter(({ from, to }) => history.isTrue(from, to)).length
      findable += history.findable.length
    }
    const share = (of: number): string => (of === 0 ? '-' : (right / of).toFixed(2))
    console.log(
      name.padEnd(15) +
        variant.padEnd(19) +
        String(suggested).padStart(9) +
        String(right).padStart(7) +
        share(suggested).padStart(11) +
        share(findable).padStart(8),
    )
  }
}
