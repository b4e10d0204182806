import { logNameOf } from '@aisle/event-log'
import type { LogEntry } from '@aisle/event-log'
import type { EventLog, LogOwner, TailBatch } from '../../ports/event-log.ts'

export interface MemoryEventLog extends EventLog {
  /** What is stored of visitors. */
  entries(owner: LogOwner): readonly LogEntry[]
  /** All of the log, counts of refused events too, with places that never change. */
  placed(owner: LogOwner): readonly PlacedEntry[]
  /** From now on takes no entry that the test names. */
  bar(owner: LogOwner, isBarred: (entry: LogEntry) => boolean): void
  /** Takes entries out. @returns how many */
  remove(owner: LogOwner, isRemoved: (entry: LogEntry) => boolean): number
}

export interface PlacedEntry {
  readonly position: number
  readonly entry: LogEntry
}

/** Events in arrays: for tests, and to read what the port promises. */
/** @param now when something arrives that is counted and not kept */
export function createMemoryEventLog(now: () => number = Date.now): MemoryEventLog {
  const logs = new Map<string, { ids: Set<string>; placed: PlacedEntry[]; nextPosition: number }>()
  const bars = new Map<string, ((entry: LogEntry) => boolean)[]>()
  const listeners = new Map<string, Set<(batch: TailBatch) => void>>()

  const append: EventLog['append'] = async (owner, { entries, refused }) => {
    const name = logNameOf(owner)
    const log = logs.get(name) ?? { ids: new Set(), placed: [], nextPosition: 0 }
    logs.set(name, log)
    const duplicates: number[] = []
    for (const [place, entry] of entries.entries()) {
      const isBarred = bars.get(name)?.some((test) => test(entry)) ?? false
      if (isBarred || log.ids.has(entry.messageId)) duplicates.push(place)
      else log.placed.push({ position: log.nextPosition++, entry })
      log.ids.add(entry.messageId)
    }
    const uncounted = [
      ...refused.map(({ name: event, verdict }) => ({ name: event, verdict, count: 1 })),
      ...duplicates.map((place) => {
        const entry = entries[place]!
        const event = entry.kind === 'event' ? entry.name : 'identify'
        return { name: event, verdict: 'duplicate', count: 1 } as const
      }),
    ]
    if (uncounted.length > 0) {
      const tally: LogEntry = { kind: 'tally', receivedMs: now(), counts: uncounted }
      log.placed.push({ position: log.nextPosition++, entry: tally })
    }
    if (entries.length + refused.length > 0) {
      for (const listener of listeners.get(name) ?? []) listener({ entries, duplicates, refused })
    }
    return duplicates
  }
  return {
    append,
    known(owner, entries) {
      const name = logNameOf(owner)
      const ids = new Set(logs.get(name)?.ids)
      const isKnown = (entry: (typeof entries)[number]): boolean => {
        const isBarred = bars.get(name)?.some((test) => test(entry)) ?? false
        const isTaken = ids.has(entry.messageId)
        if (!isBarred) ids.add(entry.messageId)
        return isBarred || isTaken
      }
      return Promise.resolve([...entries.keys()].filter((place) => isKnown(entries[place]!)))
    },
    offer(owner, event) {
      void append(owner, { entries: [event], refused: [] })
      return true
    },
    tail(owner, listener) {
      const name = logNameOf(owner)
      const ofStore = listeners.get(name) ?? new Set()
      listeners.set(name, ofStore.add(listener))
      return () => ofStore.delete(listener)
    },
    entries: (owner) =>
      (logs.get(logNameOf(owner))?.placed ?? [])
        .map(({ entry }) => entry)
        .filter(({ kind }) => kind !== 'tally'),
    placed: (owner) => logs.get(logNameOf(owner))?.placed ?? [],
    bar(owner, isBarred) {
      const name = logNameOf(owner)
      bars.set(name, [...(bars.get(name) ?? []), isBarred])
    },
    remove(owner, isRemoved) {
      const log = logs.get(logNameOf(owner))
      const kept = log?.placed.filter(({ entry }) => !isRemoved(entry)) ?? []
      const count = (log?.placed.length ?? 0) - kept.length
      if (log !== undefined) log.placed = kept
      return count
    },
  }
}
