import { POPULARITY_NETWORKS_MIN as NETWORKS_MIN } from '@aisle/contract'
import { RecentMap, type RecentState } from '../recent/recent-map.ts'
import { fading } from '../popularity/worth.ts'

/** Maximum of products with pairs; the least recently seen are forgotten. */
const DOCUMENTS_MAX = 50_000
/** Maximum of companions per product; a new one replaces the weakest. */
const COMPANIONS_MAX = 24
/** Maximum of products of an event that are paired. */
const DOCUMENTS_PER_EVENT_MAX = 20
const SESSIONS_MAX = 100_000
/** Maximum of earlier products of a session that are paired with the next one. */
const TRAIL_MAX = 8
const TRAIL_MS = 1_800_000
const DAY_MS = 86_400_000

/** Actions of a visitor that pair products. */
export type Step = 'look' | 'cart' | 'order'

const AMOUNTS: Readonly<Record<Step, number>> = { look: 1, cart: 1, order: 3 }

/** A product and its companions. */
export interface Companions {
  /** Decaying sum of its steps, as of `day`. */
  total: number
  day: number
  readonly ids: string[]
  /** COMPANION.length numbers for each of `ids`. Flat, because there may be a million. */
  readonly cells: number[]
}

/**
 * Offsets in the cells of a companion: decaying sum, its day, and hashes of the first few networks,
 * as many as a pair needs.
 */
export const COMPANION = { amount: 0, day: 1, networks: 2, length: 2 + NETWORKS_MIN } as const
/** Cell of a network that is still missing; no hash. */
const NO_NETWORK = -1

interface TrailItem {
  readonly id: string
  readonly atMs: number
}

export interface StepVisit {
  readonly session: string
  readonly atMs: number
  /** Hash of the visitor's network. */
  readonly network: number
}

/** Products viewed together, and bought together (docs/recommendations.md). */
export class TogetherTable {
  readonly looked: RecentMap<string, Companions>
  readonly bought: RecentMap<string, Companions>
  readonly #trails: RecentMap<string, TrailItem[]>

  constructor(state?: TogetherState) {
    this.looked = new RecentMap(DOCUMENTS_MAX, state?.looked)
    this.bought = new RecentMap(DOCUMENTS_MAX, state?.bought)
    this.#trails = new RecentMap(SESSIONS_MAX, state?.trails)
  }

  get state(): TogetherState {
    const { looked, bought } = this
    return { looked: looked.state, bought: bought.state, trails: this.#trails.state }
  }

  /**
   * Counts a step with each of some products.
   *
   * @param isFirst whether this is the visitor's first such step today
   */
  take(
    step: Step,
    documentIds: readonly string[],
    { session, atMs, network }: StepVisit,
    isFirst: (thing: string) => boolean,
  ): void {
    const day = Math.floor(atMs / DAY_MS)
    const pairs = step === 'look' ? this.looked : this.bought
    const key = `${step} ${session}`
    // The products of an order go together, independent of earlier orders.
    let trail = step === 'order' ? [] : recentOf(this.#trails.get(key) ?? [], atMs)
    for (const id of documentIds.slice(0, DOCUMENTS_PER_EVENT_MAX)) {
      const others = trail.filter((item) => item.id !== id)
      if (isFirst(`${step} ${day} ${id}`)) {
        const amount = AMOUNTS[step]
        raiseTotal(pairs, id, amount, day)
        for (const other of others) {
          raisePair(pairs, id, other.id, amount, day, network)
          raisePair(pairs, other.id, id, amount, day, network)
        }
      }
      const kept = step === 'order' ? others : others.slice(1 - TRAIL_MAX)
      trail = [...kept, { id, atMs }]
    }
    if (step !== 'order') this.#trails.set(key, trail)
  }
}

export interface TogetherState {
  readonly looked: RecentState<string, Companions>
  readonly bought: RecentState<string, Companions>
  readonly trails: RecentState<string, TrailItem[]>
}

/** A late clock does not reduce a count: only the distance matters. */
function recentOf(trail: readonly TrailItem[], atMs: number): TrailItem[] {
  return trail.filter((item) => Math.abs(atMs - item.atMs) <= TRAIL_MS)
}

function companionsOf(pairs: RecentMap<string, Companions>, id: string, day: number): Companions {
  const companions = pairs.get(id) ?? { total: 0, day, ids: [], cells: [] }
  pairs.set(id, companions)
  return companions
}

function raiseTotal(
  pairs: RecentMap<string, Companions>,
  id: string,
  amount: number,
  day: number,
): void {
  const companions = companionsOf(pairs, id, day)
  const newest = Math.max(day, companions.day)
  companions.total =
    companions.total * fading(newest - companions.day) + amount * fading(newest - day)
  companions.day = newest
}

function raisePair(
  pairs: RecentMap<string, Companions>,
  id: string,
  other: string,
  amount: number,
  day: number,
  network: number,
): void {
  const { ids, cells } = companionsOf(pairs, id, day)
  let place = ids.indexOf(other)
  if (place < 0) {
    place = ids.length < COMPANIONS_MAX ? ids.length : weakest(cells, day)
    ids[place] = other
    const at = place * COMPANION.length
    cells[at + COMPANION.amount] = 0
    cells[at + COMPANION.day] = day
    for (let i = COMPANION.networks; i < COMPANION.length; i++) cells[at + i] = NO_NETWORK
  }
  const at = place * COMPANION.length
  const before = cells[at + COMPANION.day]!
  const newest = Math.max(day, before)
  cells[at + COMPANION.amount] =
    cells[at + COMPANION.amount]! * fading(newest - before) + amount * fading(newest - day)
  cells[at + COMPANION.day] = newest
  for (let i = COMPANION.networks; i < COMPANION.length; i++) {
    const known = cells[at + i]!
    if (known === network) return
    if (known !== NO_NETWORK) continue
    cells[at + i] = network
    return
  }
}

/** Whether the steps of a companion came from as many networks as a pair needs. */
export function isShared(cells: readonly number[], place: number): boolean {
  return cells[(place + 1) * COMPANION.length - 1] !== NO_NETWORK
}

/** Returns the companion with the smallest amount as of a day; ties go to the first. */
function weakest(cells: readonly number[], day: number): number {
  let least = Infinity
  let place = 0
  for (let at = 0; at < cells.length; at += COMPANION.length) {
    const amount = cells[at + COMPANION.amount]! * fading(day - cells[at + COMPANION.day]!)
    if (amount >= least) continue
    least = amount
    place = at / COMPANION.length
  }
  return place
}
