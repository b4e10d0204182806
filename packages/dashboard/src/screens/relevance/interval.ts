import { gainsOfClicks, type ClickRow } from './judgments.ts'
import { mean, ndcg, type ComparedQuery, type Gains } from './metrics.ts'

/**
 * Number of resamples: enough to fix the ends of the interval to about a hundredth of its width.
 */
const SAMPLES = 400
const LOW = 0.025

export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * 95% interval of the gain in NDCG of a draft, by a paired bootstrap over queries (Efron,
 * "Bootstrap methods", 1979). Judgments from clicks are resampled within their own uncertainty, so
 * that few sessions give a wide interval.
 *
 * @param clicks rows behind the judgments; absent if people made them
 * @param seed the same seed gives the same interval
 */
export function gainInterval(
  run: readonly ComparedQuery[],
  gainsOf: (q: string) => Gains,
  clicks?: readonly ClickRow[],
  seed = 1,
): Interval | undefined {
  const random = randomNumbers(seed)
  const judged = run.filter(({ q, live }) => ndcg(live.ids, gainsOf(q)) !== undefined)
  if (judged.length < 2) return undefined
  const rows = clicks?.filter(({ clicked_sessions: count }) => count > 0)
  const differences: number[] = []
  for (let sample = 0; sample < SAMPLES; sample++) {
    const drawn =
      rows === undefined ? gainsOf : gainsOfClicks(rows.map((row) => redrawn(row, random)))
    const picked = judged.map(() => judged[Math.floor(random() * judged.length)]!)
    const difference = mean(picked, ({ q, live, draft }) => {
      const gains = drawn(q)
      return (ndcg(draft.ids, gains) ?? 0) - (ndcg(live.ids, gains) ?? 0)
    })
    if (difference !== undefined) differences.push(difference)
  }
  differences.sort((a, b) => a - b)
  const at = (share: number): number =>
    differences[Math.min(differences.length - 1, Math.floor(share * differences.length))] ?? 0
  return { low: at(LOW), high: at(1 - LOW) }
}

/**
 * A plausible share of sessions that clicked, drawn from a normal distribution with the standard
 * error of the smoothed share.
 */
function redrawn(row: ClickRow, random: () => number): ClickRow {
  const { sessions, clicked_sessions: clicked, average_position: position } = row
  const share = (clicked + 0.5) / (sessions + 1)
  const error = Math.sqrt((share * (1 - share)) / (sessions + 1))
  const drawn = Math.min(1, Math.max(0, clicked / sessions + error * normal(random)))
  return { ...row, attractiveness: Math.min(1, drawn * position) }
}

/** Box and Muller, 1958. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Mulberry32: the figures of a page must not change while somebody reads it. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
