/** After so many days a click or conversion counts half. */
const HALF_LIFE_DAYS = 30
/** Networks that are told apart: whether there are a few is all that is asked. */
const NETWORKS_TOLD_APART_MAX = 4

/** What visitors made of something: clicks and conversions, weighed, and fading day by day. */
export interface Worth {
  /** As of `day`. */
  value: number
  /** The newest day that anything was counted on. */
  day: number
  /** Hashes of where it came from, the first few. */
  readonly networks: number[]
}

export function raiseWorth(worth: Worth, amount: number, day: number, network: number): void {
  // What arrives late has faded already.
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

/** What is left of something after so many days; what is dated ahead counts as of today. */
export function fading(days: number): number {
  return days <= 0 ? 1 : 2 ** (-days / HALF_LIFE_DAYS)
}
