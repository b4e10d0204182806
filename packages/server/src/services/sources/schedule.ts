import { ApiError, SOURCE_INTERVAL_MIN_SECONDS } from '@aisle/contract'
import { Cron } from 'croner'
import type { SourceConfig } from './source-record.ts'

type Schedule = NonNullable<SourceConfig['schedule']>

/** Times that are compared with the shortest interval. */
const CHECKED_TIMES = 50

/**
 * When a source is to run next.
 *
 * @returns milliseconds; undefined: never
 */
export function nextRunMs({ cron, timeZone }: Schedule, afterMs: number): number | undefined {
  return new Cron(cron, { timezone: timeZone, mode: '5-part' })
    .nextRun(new Date(afterMs))
    ?.getTime()
}

/** Whether two scheduled runs have passed since a moment. */
export function hasMissedTwo(schedule: Schedule, sinceMs: number, nowMs: number): boolean {
  const first = nextRunMs(schedule, sinceMs)
  const second = first === undefined ? undefined : nextRunMs(schedule, first)
  return second !== undefined && second < nowMs
}

/** @throws ApiError invalid_parameter */
export function checkSchedule(schedule: Schedule, nowMs: number): void {
  requireTimeZone(schedule.timeZone)
  let times: number[]
  try {
    const cron = new Cron(schedule.cron, { timezone: schedule.timeZone, mode: '5-part' })
    times = cron.nextRuns(CHECKED_TIMES, new Date(nowMs)).map((time) => time.getTime())
  } catch {
    throw invalid(
      'schedule.cron',
      `Parameter \`schedule.cron\` must be five fields such as \`0 5 * * *\`, received ${JSON.stringify(schedule.cron)}`,
    )
  }
  if (times.length === 0) {
    throw invalid('schedule.cron', 'Parameter `schedule.cron` names no time in the future')
  }
  const gaps = times.slice(1).map((time, i) => time - times[i]!)
  if (Math.min(...gaps) < SOURCE_INTERVAL_MIN_SECONDS * 1_000) {
    throw invalid(
      'schedule.cron',
      `Parameter \`schedule.cron\` must leave at least ${SOURCE_INTERVAL_MIN_SECONDS} seconds between two runs`,
    )
  }
}

function requireTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw invalid(
      'schedule.time_zone',
      `Parameter \`schedule.time_zone\` must be a time zone such as \`Europe/Berlin\`, received ${JSON.stringify(timeZone)}`,
    )
  }
}

function invalid(param: string, message: string): ApiError {
  return new ApiError('invalid_parameter', message, { param })
}
