import { factsOf, type LogEntry, type Visitor, type VisitorEvent } from '@aisle/event-log'
import { sessionOf } from '../history/actor.ts'

const DAY_MS = 86_400_000
const TRAIL_MS = 1_800_000
const HALF_LIFE_DAYS = 30

interface Count {
  readonly kind: 'looked' | 'bought'
  readonly amount: number
  readonly day: number
  readonly network: string
  readonly id: string
  /** Its companions. */
  readonly others: readonly string[]
}

/**
 * Products that go with one, computed from all events for every request: docs/recommendations.md in
 * plain code, without bounds and flood guards. By id.
 */
export function naiveTogether(
  entries: readonly LogEntry[],
  kind: 'looked' | 'bought',
  id: string,
  nowMs: number,
): Map<string, number> {
  const today = Math.floor(nowMs / DAY_MS)
  const counts = countsOf(entries).filter((count) => count.kind === kind)
  const sum = (some: readonly Count[]): number =>
    some.reduce((all, { amount, day }) => all + amount * 0.5 ** ((today - day) / HALF_LIFE_DAYS), 0)
  const totalOf = (one: string): number => sum(counts.filter((count) => count.id === one))
  const affinities = new Map<string, number>()
  for (const other of new Set(counts.flatMap((count) => [count.id, ...count.others]))) {
    const pairs = counts.filter(
      (count) =>
        (count.id === id && count.others.includes(other)) ||
        (count.id === other && count.others.includes(id)),
    )
    if (new Set(pairs.map(({ network }) => network)).size < 3) continue
    affinities.set(other, sum(pairs) / Math.sqrt((totalOf(id) + 5) * (totalOf(other) + 5)))
  }
  return affinities
}

/** Documents that a visitor viewed or chose recently, newest last, with the strongest step. */
export function naiveSeen(
  entries: readonly LogEntry[],
  sessionId: string,
): { readonly id: string; readonly step: 'look' | 'cart' | 'order' }[] {
  const steps = entries.flatMap((entry) => {
    if (entry.kind !== 'event' || entry.visitor.sessionId !== sessionId) return []
    const step = stepOf(entry)
    return step === undefined ? [] : factsOf(entry).documentIds.map((id) => ({ id, step }))
  })
  const ids = steps.map(({ id }) => id)
  const last = ids.filter((id, place) => ids.lastIndexOf(id) === place).slice(-20)
  return last.map((id) => {
    const own = steps.filter((one) => one.id === id).map(({ step }) => step)
    const isOrdered = own.includes('order')
    return { id, step: isOrdered ? 'order' : own.includes('cart') ? 'cart' : 'look' }
  })
}

function stepOf(event: VisitorEvent): 'look' | 'cart' | 'order' | undefined {
  const { action } = factsOf(event)
  if (action === 'click' || action === 'view') return 'look'
  if (action === 'add' || action === 'conversion') return 'cart'
  return action === 'order' ? 'order' : undefined
}

function countsOf(entries: readonly LogEntry[]): Count[] {
  const counts: Count[] = []
  const taken = new Set<string>()
  const trails = new Map<string, { readonly id: string; readonly atMs: number }[]>()
  for (const event of entries) {
    if (event.kind !== 'event') continue
    const step = stepOf(event)
    if (step === undefined) continue
    const { visitor, atMs } = event
    const session = sessionOf(visitor)!
    const day = Math.floor(atMs / DAY_MS)
    const ids = factsOf(event).documentIds.slice(0, 20)
    const trail = trails.get(`${step} ${session}`) ?? []
    for (const [place, id] of ids.entries()) {
      const last = trail.filter((item) => Math.abs(item.atMs - atMs) <= TRAIL_MS && item.id !== id)
      const others =
        step === 'order' ? ids.slice(0, place) : [...lastOfEach(last.map((item) => item.id))]
      trail.push({ id, atMs })
      trails.set(`${step} ${session}`, trail)
      if (taken.has(`${step} ${day} ${session} ${id}`)) continue
      taken.add(`${step} ${day} ${session} ${id}`)
      const kind = step === 'look' ? 'looked' : 'bought'
      const amount = step === 'order' ? 3 : 1
      counts.push({ kind, amount, day, network: networkOf(visitor), id, others })
    }
  }
  return counts
}

/** The last eight distinct ids. */
function lastOfEach(ids: readonly string[]): readonly string[] {
  return ids.filter((id, place) => ids.lastIndexOf(id) === place).slice(-8)
}

function networkOf({ network, client, sessionId }: Visitor): string {
  return network ?? client ?? sessionId ?? ''
}
