import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of a process since it began, in microseconds, by the names of its threads. */
export type ProcessorTime = ReadonlyMap<string, number>

/**
 * Linux counts it per thread to the nanosecond (`schedstat`). A thread that ends takes its time
 * with it.
 *
 * @returns empty where /proc does not say
 */
export function processorTime(pid: number): ProcessorTime {
  const times = new Map<string, number>()
  for (const task of tasksOf(pid)) {
    try {
      const name = readFileSync(`${task}/comm`, 'utf8').trim()
      const nanoseconds = Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ', 1)[0])
      times.set(name, (times.get(name) ?? 0) + nanoseconds / 1_000)
    } catch {
      // It has ended meanwhile.
    }
  }
  return times
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`)
  } catch {
    return []
  }
}

/** What was used between two moments, without threads that did nothing. */
export function timeBetween(before: ProcessorTime, after: ProcessorTime): ProcessorTime {
  const used = [...after].map(([name, time]) => [name, time - (before.get(name) ?? 0)] as const)
  return new Map(used.filter(([, time]) => time > 0))
}

export function totalOf(times: ProcessorTime): number {
  return times.values().reduce((sum, time) => sum + time, 0)
}

/** Linux counts here in hundredths of a second, on every machine. */
const TICK_MS = 10

/**
 * Milliseconds of processor time of a process since it began, ended threads included.
 * @returns NaN where /proc does not say
 */
export function processMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the name, which may have spaces: utime and stime are the 12th and 13th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return NaN
  }
}
