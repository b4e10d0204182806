import { logNameOf } from '@aisle/events'
import type { LogEntry } from '@aisle/events'
import type { EventLog, LogOwner, TailBatch } from '../../ports/event-log.ts'

export interface MemoryEventLog extends EventLog {
  /** Everything that is stored. */
  entries(owner: LogOwner): readonly LogEntry[]
}

/** Events in arrays: for tests, and to read what the port promises. */
export function createMemoryEventLog(): MemoryEventLog {
  const logs = new Map<string, { ids: Set<string>; entries: LogEntry[] }>()
  const listeners = new Map<string, Set<(batch: TailBatch) => void>>()

  const append: EventLog['append'] = async (owner, { entries, refused }) => {
    const name = logNameOf(owner)
    const log = logs.get(name) ?? { ids: new Set(), entries: [] }
    logs.set(name, log)
    const duplicates: number[] = []
    for (const [place, entry] of entries.entries()) {
      if (log.ids.has(entry.messageId)) duplicates.push(place)
      else log.entries.push(entry)
      log.ids.add(entry.messageId)
    }
    if (entries.length + refused.length > 0) {
      for (const listener of listeners.get(name) ?? []) listener({ entries, duplicates, refused })
    }
    return duplicates
  }
  return {
    append,
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
    entries: (owner) => logs.get(logNameOf(owner))?.entries ?? [],
  }
}
