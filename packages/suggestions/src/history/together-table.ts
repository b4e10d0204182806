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

/** Offsets in the cells of a companion: decaying sum, its day, and a bit per network. */
export const COMPANION = { amount: 0, day: 1, networks: 2, length: 3 } as const

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
    cells[at + COMPANION.networks] = 0
  }
  const at = place * COMPANION.length
  const before = cells[at + COMPANION.day]!
  const newest = Math.max(day, before)
  cells[at + COMPANION.amount] =
    cells[at + COMPANION.amount]! * fading(newest - before) + amount * fading(newest - day)
  cells[at + COMPANION.day] = newest
  cells[at + COMPANION.networks]! |= 1 << (network % 32)
}

/** The companion with the smallest amount as of a day; of equals the first. */
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
