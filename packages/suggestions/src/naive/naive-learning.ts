/** A click or a conversion that counts, in the order of the log. */
export interface NaiveChoice {
  readonly query: string
  readonly document: string
  /** Undefined if nobody knows it. */
  readonly position: number | undefined
  readonly weight: number
  readonly day: number
  readonly network: number
}

export interface NaiveLearned {
  readonly lift: number
  readonly clicks: number
  readonly expected: number
}

/**
 * docs/learning.md in plain code, for one document and query, computed from all clicks. It has its
 * own constants, and keeps every network.
 *
 * @param places clicks of the store by position, from 1, faded
 */
export function naiveLearned(
  choices: readonly NaiveChoice[],
  places: readonly number[],
  query: string,
  document: string,
  today: number,
): NaiveLearned | undefined {
  const shares = naiveShares(places)
  const ofQuery = choices.filter((choice) => choice.query === query)
  const total = [...new Set(ofQuery.map((choice) => choice.document))]
    .flatMap((id) => counted(ofQuery.filter((choice) => choice.document === id)))
    .reduce((sum, { amount, day }) => sum + faded(amount, day, today), 0)
  const own = counted(ofQuery.filter((choice) => choice.document === document))
  const networks = [...new Set(own.map(({ network }) => network))]
  if (networks.length < 3) return undefined

  const sum = (clicks: readonly Counted[], worth: (click: Counted) => number): number =>
    clicks.reduce((all, click) => all + faded(worth(click), click.day, today), 0)
  const amountOf = ({ amount }: Counted): number => amount
  const ofNetworks = networks.map((network) =>
    sum(
      own.filter((click) => click.network === network),
      amountOf,
    ),
  )
  // The clicks of one network are left out, as if they were the last ones.
  const dropped = Math.max(...ofNetworks)
  const atPlace = (place: number): number =>
    sum(
      own.filter((click) => click.place === place),
      amountOf,
    )
  const below = (place: number): number =>
    sum(
      own.filter((click) => click.place > place),
      amountOf,
    )
  const kept = PLACES.map((place) =>
    Math.max(0, atPlace(place) - Math.max(0, dropped - below(place))),
  )
  const clicks = kept.reduce((all, one) => all + one, 0)
  if (clicks < 1e-9) return { lift: 0, clicks: 0, expected: total * shares[0]! }
  const weighted = kept.reduce((all, one, i) => all + one / shares[i]!, 0)
  const squared = kept.reduce((all, one, i) => all + one / shares[i]! ** 2, 0)
  const ratio = weighted / total
  const heaviness = sum(own, amountOf) / sum(own, ({ amount, weight }) => amount * weight)
  const observed = (weighted ** 2 / squared) * heaviness + 2
  const lower = (observed - 1.5 * observed ** 0.5) / ((observed - 2) / ratio + 2)
  const lift = lower <= 1 ? 0 : Math.min(1, Math.log(lower) / Math.log(4))
  return { lift, clicks, expected: clicks / ratio }
}

const PLACES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

interface Counted {
  readonly place: number
  readonly amount: number
  readonly weight: number
  readonly day: number
  readonly network: number
}

/** The clicks on a document with a known position, as far as their networks may add any. */
function counted(choices: readonly NaiveChoice[]): Counted[] {
  const clicks: Counted[] = []
  // The day of the newest click of any kind: late ones have faded already when they arrive.
  let newest = -Infinity
  for (const { position, weight, day, network } of choices) {
    newest = Math.max(newest, day)
    if (position === undefined) continue
    const before = clicks
      .filter((click) => click.network === network)
      .reduce((sum, click) => sum + faded(click.amount, click.day, newest), 0)
    const arriving = Math.min(faded(weight, day, newest), 3 - before)
    if (arriving <= 0) continue
    // As of the day of the click.
    const amount = arriving * 2 ** ((newest - day) / 30)
    clicks.push({ place: Math.min(10, position), amount, weight, day, network })
  }
  return clicks
}

function faded(amount: number, day: number, today: number): number {
  return amount * 2 ** (-Math.max(0, today - day) / 30)
}

/** The share of clicks of each position: the store's and fifty by rank, at least a later one's. */
function naiveShares(places: readonly number[]): number[] {
  const harmonic = PLACES.reduce((sum, rank) => sum + 1 / rank, 0)
  const clicks = PLACES.map((rank) => 50 / rank / harmonic + (places[rank - 1] ?? 0))
  const all = clicks.reduce((sum, one) => sum + one, 0)
  return PLACES.map((rank) => Math.max(...clicks.slice(rank - 1), clicks[0]! / 10) / all)
}
