import {
  LEARNING_CLICKS_PER_NETWORK_MAX as PER_NETWORK_MAX,
  POPULARITY_POSITION_MAX as POSITION_MAX,
} from '@aisle/contract'
import { fading, raiseWorth, type Worth } from './worth.ts'

/** Maximum of networks per choice whose clicks are told apart; the smallest is forgotten first. */
const NETWORKS_MAX = 16

/**
 * The clicks of one query on one document: its worth for popularity, and what learning needs. All
 * amounts are as of `day`.
 */
export interface Choice extends Worth {
  /** Weighted clicks by position, from 1; the last also has those further down. */
  places: number[]
  /** Sum of the squared weights of these clicks: how much of `places` is few heavy ones. */
  squares: number
  /** The busiest networks: a hash and its part of `places`, in turn. */
  shares: number[]
}

/** A click at a known position. */
export interface PlacedClick {
  /** From 1. */
  readonly position: number
  /** A conversion weighs more. */
  readonly weight: number
}

export function newChoice(day: number): Choice {
  return { value: 0, day, networks: [], places: [], squares: 0, shares: [] }
}

/**
 * @param amount for popularity
 * @param click undefined if its position is unknown: then nothing can be learned from it
 */
export function raiseChoice(
  choice: Choice,
  amount: number,
  click: PlacedClick | undefined,
  day: number,
  network: number,
): void {
  if (day > choice.day) fade(choice, fading(day - choice.day))
  // A late event has faded already.
  const late = fading(Math.max(choice.day, day) - day)
  raiseWorth(choice, amount, day, network)
  if (click === undefined) return
  const own = shareOf(choice, network)
  const weight = Math.min(click.weight * late, PER_NETWORK_MAX - choice.shares[own + 1]!)
  if (weight <= 0) return
  choice.shares[own + 1]! += weight
  const place = Math.min(POSITION_MAX, click.position) - 1
  // Copies are as long as they must be; `push` would reserve another 17 numbers.
  while (choice.places.length <= place) choice.places = choice.places.concat(0)
  choice.places[place]! += weight
  choice.squares += weight * click.weight
}

/** Fades all that `raiseWorth` does not. */
function fade(choice: Choice, factor: number): void {
  const { places, shares } = choice
  for (let i = 0; i < places.length; i++) places[i]! *= factor
  for (let i = 1; i < shares.length; i += 2) shares[i]! *= factor
  choice.squares *= factor
}

/** The index of a network among the busiest, which it joins. */
function shareOf(choice: Choice, network: number): number {
  const { shares } = choice
  let least = 0
  for (let at = 0; at < shares.length; at += 2) {
    if (shares[at] === network) return at
    if (shares[at + 1]! < shares[least + 1]!) least = at
  }
  if (shares.length < 2 * NETWORKS_MAX) {
    choice.shares = shares.concat(network, 0)
    return shares.length
  }
  shares[least] = network
  shares[least + 1] = 0
  return least
}
