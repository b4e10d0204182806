import { reportsConformance } from '../../ports/events/reports.conformance.ts'
import { ReportedFolder } from './report-database-for-test.ts'

reportsConformance('reports in DuckDB', () => {
  const made = new ReportedFolder()
  return Promise.resolve({
    get reports() {
      return made.reports
    },
    append: (owner, entries) => made.append(owner, entries),
    log: (owner) => Promise.resolve(made.log(owner)),
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  })
})
