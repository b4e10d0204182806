/** Half-life of clicks and conversions, in days. */
const HALF_LIFE_DAYS = 30
/** Maximum of distinct networks counted: only a small minimum is ever required. */
const NETWORKS_TOLD_APART_MAX = 4

/** Weighted clicks and conversions, decaying daily. */
export interface Worth {
  /** The value as of `day`. */
  value: number
  /** The newest day with a count. */
  day: number
  /** Hashes of the first few networks. */
  readonly networks: number[]
}

export function raiseWorth(worth: Worth, amount: number, day: number, network: number): void {
  // A late event has faded already.
  if (day < worth.day) worth.value += amount * fading(worth.day - day)
  else {
    worth.value = worth.value * fading(day - worth.day) + amount
    worth.day = day
  }
  const { networks } = worth
  if (networks.length < NETWORKS_TOLD_APART_MAX && !networks.includes(network)) {
    networks.push(network)
  }
}

export function worthOn(worth: Worth, today: number): number {
  return worth.value * fading(today - worth.day)
}

/** Decay factor after a number of days; future dates count as today. */
export function fading(days: number): number {
  return days <= 0 ? 1 : 2 ** (-days / HALF_LIFE_DAYS)
}
