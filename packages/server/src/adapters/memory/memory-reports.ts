import { naiveReport, type LogEntry, type Visitor } from '@aisle/events'
import type { LogOwner } from '../../ports/event-log.ts'
import type { ErasedVisitor, Reports } from '../../ports/reports.ts'
import type { MemoryEventLog } from './memory-event-log.ts'

/** Reports that read the whole log each time: for tests, and to read what the port promises. */
export function createMemoryReports(log: MemoryEventLog, now: () => number = Date.now): Reports {
  return {
    count: (owner, query) => Promise.resolve(naiveReport(log.placed(owner), query)),
    rebuild: (owner) => Promise.resolve(log.placed(owner).length),
    erase(owner, visitor) {
      const isTheirs = erasedTest(log.entries(owner), visitor)
      const erasedMs = now()
      log.bar(owner, (entry) => entry.kind !== 'tally' && entry.atMs <= erasedMs && isTheirs(entry))
      return Promise.resolve(log.remove(owner, isTheirs))
    },
    dropBefore: (owner, receivedMs) => Promise.resolve(dropBefore(log, owner, receivedMs)),
  }
}

function dropBefore(
  log: MemoryEventLog,
  owner: LogOwner,
  beforeMs: number,
): { bytesFreed: number; oldestReceivedMs: number | undefined } {
  const bytesFreed = log.remove(owner, ({ receivedMs }) => receivedMs < beforeMs)
  const received = log.entries(owner).map(({ receivedMs }) => receivedMs)
  return {
    bytesFreed,
    oldestReceivedMs: received.length === 0 ? undefined : Math.min(...received),
  }
}

function erasedTest(
  entries: readonly LogEntry[],
  { userId, anonymousId, sessionId }: ErasedVisitor,
): (entry: LogEntry) => boolean {
  const visitors = entries.flatMap((entry) => (entry.kind === 'tally' ? [] : [entry.visitor]))
  /** The id of a visitor was seen with the user, and with no other one. */
  const isOwned = (key: 'anonymousId' | 'sessionId', visitor: Visitor): boolean => {
    const same = visitors.filter((one) => visitor[key] !== undefined && one[key] === visitor[key])
    const users = new Set(same.flatMap((one) => one.userId ?? []))
    return users.size === 1 && users.has(userId!)
  }
  return (entry) => {
    if (entry.kind === 'tally') return false
    const { visitor } = entry
    if (anonymousId !== undefined && visitor.anonymousId === anonymousId) return true
    if (sessionId !== undefined && visitor.sessionId === sessionId) return true
    if (userId === undefined) return false
    if (visitor.userId !== undefined) return visitor.userId === userId
    return isOwned('anonymousId', visitor) || isOwned('sessionId', visitor)
  }
}
