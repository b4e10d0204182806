import { naiveJourney, naiveReport, visitorTest } from '@aisle/event-log'
import type { LogOwner } from '../../ports/event-log.ts'
import type { Reports } from '../../ports/reports.ts'
import type { MemoryEventLog } from './memory-event-log.ts'

/** Reports that read the whole log each time: for tests, and to read what the port promises. */
export function createMemoryReports(log: MemoryEventLog, now: () => number = Date.now): Reports {
  return {
    count: (owner, query) => Promise.resolve(naiveReport(log.placed(owner), query)),
    journey: (owner, query) => Promise.resolve(naiveJourney(log.placed(owner), query)),
    rebuild: (owner) => Promise.resolve(log.placed(owner).length),
    erase(owner, visitor) {
      const isTheirs = visitorTest(log.entries(owner), visitor)
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
