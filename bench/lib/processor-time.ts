import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of a process since its start, in microseconds, by the names of its threads. */
export type ProcessorTime = ReadonlyMap<string, number>

/**
 * Linux counts it per thread in nanoseconds (`schedstat`). A thread that ends takes its time with
 * it.
 *
 * @returns empty without /proc
 */
export function processorTime(pid: number): ProcessorTime {
  const times = new Map<string, number>()
  for (const task of tasksOf(pid)) {
    try {
      const name = readFileSync(`${task}/comm`, 'utf8').trim()
      const nanoseconds = Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ', 1)[0])
      times.set(name, (times.get(name) ?? 0) + nanoseconds / 1_000)
    } catch {
      // The thread has ended meanwhile.
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

/** The time used between two moments, without idle threads. */
export function timeBetween(before: ProcessorTime, after: ProcessorTime): ProcessorTime {
  const used = [...after].map(([name, time]) => [name, time - (before.get(name) ?? 0)] as const)
  return new Map(used.filter(([, time]) => time > 0))
}

export function totalOf(times: ProcessorTime): number {
  return times.values().reduce((sum, time) => sum + time, 0)
}

/** Linux uses hundredths of a second here on every machine. */
const TICK_MS = 10

/**
 * Milliseconds of processor time of a process since its start, including ended threads.
 * @returns NaN without /proc
 */
export function processMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the name, which may contain spaces: utime and stime are the 12th and 13th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return NaN
  }
}
