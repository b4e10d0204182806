import {
  EXPERIMENT_DAYS_MIN,
  EXPERIMENT_ERROR_PERCENT,
  EXPERIMENT_VISITORS_MIN,
} from '@aisle/contract'
import {
  compareMeans,
  compareVotes,
  type Evidence,
} from '../../packages/server/src/domain/values/sequential-test.ts'

const ERROR = EXPERIMENT_ERROR_PERCENT / 100

/**
 * Simulated experiments with known truth, looked at every day: how often are they decided for an
 * arm that is no better?
 */
export interface SimulatedKind {
  readonly name: string
  /** Draws a day of visitors, adds them, and compares. */
  readonly start: (random: () => number) => () => Evidence | undefined
  /** The value without a difference. */
  readonly none: number
}

export interface SimulatedDecisions {
  readonly name: string
  readonly experiments: number
  readonly draft: number
  readonly live: number
  /** Median day of the decisions for the draft. */
  readonly day: number | undefined
}

/** Visitors who do something or not, such as clicking or buying. */
function rates(
  name: string,
  perDay: readonly [live: number, draft: number],
  [live, draft]: readonly [number, number],
): SimulatedKind {
  return {
    name,
    none: 0,
    start: (random) => {
      const done = [0, 0]
      let days = 0
      const did = (visitors: number, rate: number): number => {
        let sum = 0
        for (let i = 0; i < visitors; i++) if (random() < rate) sum++
        return sum
      }
      return () => {
        days++
        done[0]! += did(perDay[0], live)
        done[1]! += did(perDay[1], draft)
        const [a, b] = perDay.map((count, i) => {
          return { count: count * days, sum: done[i]!, squares: done[i]! }
        })
        return compareMeans(a!, b!, ERROR)
      }
    },
  }
}

/** Revenue per visitor: few buy, and what they pay is log-normal. */
function revenues(
  name: string,
  perDay: number,
  [live, draft]: readonly [number, number],
): SimulatedKind {
  return {
    name,
    none: 0,
    start: (random) => {
      const arms = [live, draft].map((rate) => ({ rate, count: 0, sum: 0, squares: 0 }))
      return () => {
        for (const arm of arms) {
          arm.count += perDay
          for (let i = 0; i < perDay; i++) {
            if (random() >= arm.rate) continue
            const angle = 2 * Math.PI * random()
            const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(angle)
            const paid = Math.exp(4 + normal)
            arm.sum += paid
            arm.squares += paid * paid
          }
        }
        return compareMeans(arms[0]!, arms[1]!, ERROR)
      }
    },
  }
}

/** Interleaved: the visitors of a day who choose a side. */
function votes(name: string, perDay: number, share: number): SimulatedKind {
  return {
    name,
    none: 0.5,
    start: (random) => {
      let wins = 0
      let count = 0
      return () => {
        count += perDay
        for (let i = 0; i < perDay; i++) if (random() < share) wins++
        if (count < EXPERIMENT_VISITORS_MIN) return undefined
        return compareVotes(wins, count - wins, ERROR)
      }
    },
  }
}

export const SIMULATED_KINDS: readonly SimulatedKind[] = [
  rates('A/A clicks 40 %, 200 a day and arm', [200, 200], [0.4, 0.4]),
  rates('A/A orders 3 %, 200 a day and arm', [200, 200], [0.03, 0.03]),
  rates('A/A orders 1 %, 20 a day and arm', [20, 20], [0.01, 0.01]),
  rates('A/A orders 3 %, 360 live and 40 draft a day', [360, 40], [0.03, 0.03]),
  revenues('A/A revenue, 3 % buy, 200 a day and arm', 200, [0.03, 0.03]),
  votes('A/A votes, 20 a day', 20, 0.5),
  rates('A/B clicks 40 % to 42 %, 1,000 a day and arm', [1_000, 1_000], [0.4, 0.42]),
  rates('A/B orders 3 % to 3.6 %, 1,000 a day and arm', [1_000, 1_000], [0.03, 0.036]),
  revenues('A/B revenue, 3 % to 4 % buy, 1,000 a day and arm', 1_000, [0.03, 0.04]),
  votes('A/B votes, 55 % for the draft, 50 a day', 50, 0.55),
]

/** Runs each kind many times over, and looks at it daily from the first whole week on. */
function simulate(
  { name, start, none }: SimulatedKind,
  { experiments, days, seed }: { experiments: number; days: number; seed: number },
): SimulatedDecisions {
  const random = randomOf(seed)
  const draftDays: number[] = []
  let live = 0
  for (let i = 0; i < experiments; i++) {
    const lookAfterDay = start(random)
    for (let day = 1; day <= days; day++) {
      const evidence = lookAfterDay()
      if (day < EXPERIMENT_DAYS_MIN || evidence === undefined) continue
      if (evidence.low <= none && evidence.high >= none) continue
      if (evidence.value > none) draftDays.push(day)
      else live++
      break
    }
  }
  const day = draftDays.toSorted((a, b) => a - b)[draftDays.length >> 1]
  return { name, experiments, draft: draftDays.length, live, day }
}

export interface ExperimentsReport {
  readonly experiments: number
  readonly days: number
  readonly rows: readonly SimulatedDecisions[]
}

export function experimentsLevel(experiments: number, days: number): ExperimentsReport {
  const rows = SIMULATED_KINDS.map((kind) => simulate(kind, { experiments, days, seed: 1 }))
  return { experiments, days, rows }
}

export function experimentsText({ experiments, days, rows }: ExperimentsReport): string {
  const percent = (count: number): string => `${((100 * count) / experiments).toFixed(1)} %`
  return [
    `${experiments} experiments each, looked at every day for ${days} days.`,
    '',
    '| truth | decided for the draft | for live | median day |',
    '|---|---|---|---|',
    ...rows.map(
      ({ name, draft, live, day }) =>
        `| ${name} | ${percent(draft)} | ${percent(live)} | ${day ?? ''} |`,
    ),
    '',
  ].join('\n')
}

/** Xorshift (Marsaglia, 2003), the same numbers for a seed. */
function randomOf(seed: number): () => number {
  let state = (seed * 0x9e3779b1) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
