import type { PutStrategyRequest, RuleWindow } from '@aisle/contract'
import { parseExact } from '../json/json-scan.ts'
import { resourceMemo } from '../store/resource-memo.ts'
import type { Resource } from '../store/resource.ts'
import { parseInstant } from '../values/iso-instant.ts'

/** Milliseconds since 1970, `until` exclusive. */
export interface TimeWindow {
  readonly from: number
  readonly until: number
}

const ALWAYS: readonly TimeWindow[] = [{ from: -Infinity, until: Infinity }]
const NEVER: readonly TimeWindow[] = []

export function timeWindows(schedule: readonly RuleWindow[] = []): readonly TimeWindow[] {
  if (schedule.length === 0) return ALWAYS
  return schedule.map(({ from, until }) => ({
    from: from === undefined ? -Infinity : parseInstant(from)!,
    until: until === undefined ? Infinity : parseInstant(until)!,
  }))
}

export function isWithin(windows: readonly TimeWindow[], nowMs: number): boolean {
  return windows.some(({ from, until }) => nowMs >= from && nowMs < until)
}

/** The strategies of a store: groups of rules that are switched on and off together. */
export class Strategies {
  readonly #windows: ReadonlyMap<string, readonly TimeWindow[]>

  constructor(resources: readonly Resource[]) {
    this.#windows = new Map(resources.map((one) => [one.name, windowsOf(one)]))
  }

  /** No rule has a strategy that exists. */
  static readonly none = new Strategies([])

  has(name: string): boolean {
    return this.#windows.has(name)
  }

  /** When its rules may apply: never if it is off, or does not exist. */
  windows(name: string): readonly TimeWindow[] {
    return this.#windows.get(name) ?? NEVER
  }

  isOn(name: string, nowMs: number): boolean {
    return isWithin(this.windows(name), nowMs)
  }
}

const windowsOf = resourceMemo((resource): readonly TimeWindow[] => {
  const { enabled, schedule } = parseExact(resource.json) as PutStrategyRequest
  return enabled === false ? NEVER : timeWindows(schedule)
})

/**
 * The strategies of a list of resources. A list stays the same array until one of them changes.
 */
export function strategiesOf(all: readonly Resource[]): Strategies {
  if (all.length === 0) return Strategies.none
  let strategies = known.get(all)
  if (strategies === undefined) known.set(all, (strategies = new Strategies(all)))
  return strategies
}

const known = new WeakMap<readonly Resource[], Strategies>()
