import type { ErrorDetail, RuleWindow } from '@aisle/contract'
import { parseInstant } from '../values/iso-instant.ts'

/** Everything that is wrong with the time windows of a rule or a strategy, each with its place. */
export function scheduleProblems(schedule: readonly RuleWindow[] = []): ErrorDetail[] {
  const problems: ErrorDetail[] = []
  const complain = (param: string, problem: string): void => {
    const message = `Parameter \`${param}\` ${problem}`
    problems.push({ param, code: 'invalid_parameter', message })
  }
  for (const [i, window] of schedule.entries()) {
    const param = `schedule[${i}]`
    const [from, until] = (['from', 'until'] as const).map((name) => {
      const text = window[name]
      if (text === undefined) return undefined
      const ms = parseInstant(text)
      if (ms === undefined) {
        complain(
          `${param}.${name}`,
          'must be an ISO 8601 time with an offset, such as `2026-11-27T00:00:00+01:00`',
        )
      }
      return ms
    })
    if (window.from === undefined && window.until === undefined) {
      complain(param, 'must have `from`, `until`, or both')
    }
    if (from !== undefined && until !== undefined && from >= until) {
      complain(`${param}.until`, 'must be later than `from`')
    }
  }
  return problems
}
