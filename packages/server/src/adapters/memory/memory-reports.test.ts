import { reportsConformance } from '../../ports/reports.conformance.ts'
import { createMemoryEventLog } from './memory-event-log.ts'
import { createMemoryReports } from './memory-reports.ts'

reportsConformance('reports in memory', () => {
  const log = createMemoryEventLog()
  return Promise.resolve({
    reports: createMemoryReports(log),
    append: async (owner, entries) => {
      await log.append(owner, { entries, refused: [] })
    },
    log: (owner) => Promise.resolve(log.placed(owner)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  })
})
