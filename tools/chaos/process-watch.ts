import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Resources of a process at one moment. Linux only; elsewhere nothing is measured. */
export interface Holding {
  /**
   * Without file pages: the document file is mapped, and the system decides how much of it stays in
   * memory.
   */
  readonly anonymousMegabytes: number
  readonly fileDescriptors: number
  readonly threads: number
}

/** @returns undefined without /proc */
export function holdingOf(pid: number): Holding | undefined {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const [, kilobytes] = /^Anonymous:\s+(\d+) kB$/m.exec(rollup) ?? []
    if (kilobytes === undefined) return undefined
    return {
      anonymousMegabytes: Number(kilobytes) / 1_000,
      fileDescriptors: readdirSync(`/proc/${pid}/fd`).length,
      threads: readdirSync(`/proc/${pid}/task`).length,
    }
  } catch {
    return undefined
  }
}

/** @returns resources of the process, sampled until the time is over or the process has ended */
export async function watchHolding(
  pid: number,
  { forMs, everyMs }: { readonly forMs: number; readonly everyMs: number },
): Promise<Holding[]> {
  const samples: Holding[] = []
  for (const endMs = performance.now() + forMs; performance.now() < endMs;) {
    const now = holdingOf(pid)
    if (now !== undefined) samples.push(now)
    await sleep(Math.min(everyMs, Math.max(1, endMs - performance.now())))
  }
  return samples
}

/** Medians of each quarter of the samples; undefined if there are too few. */
export function byQuarter(samples: readonly Holding[]): readonly Holding[] | undefined {
  const quarter = Math.floor(samples.length / 4)
  if (quarter === 0) return undefined
  return [0, 1, 2, 3].map((i) => medians(samples.slice(i * quarter, (i + 1) * quarter)))
}

function medians(samples: readonly Holding[]): Holding {
  const median = (name: keyof Holding): number =>
    samples.map((sample) => sample[name]).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)]!
  return {
    anonymousMegabytes: median('anonymousMegabytes'),
    fileDescriptors: median('fileDescriptors'),
    threads: median('threads'),
  }
}

/** Maximum growth of the last quarter over the second: the first is warm-up. */
const MEMORY_DRIFT_MAX = 0.05
/** Connections and files vary. */
const DESCRIPTORS_DRIFT_MAX = 10
const THREADS_DRIFT_MAX = 2

/** @returns what has grown in a process with constant work */
export function growthOf(quarters: readonly Holding[] | undefined): string[] {
  if (quarters === undefined) return []
  const [, second, , last] = quarters as [Holding, Holding, Holding, Holding]
  const problems: string[] = []
  if (last.anonymousMegabytes > second.anonymousMegabytes * (1 + MEMORY_DRIFT_MAX)) {
    problems.push('The memory has grown by more than 5 %')
  }
  if (last.fileDescriptors > second.fileDescriptors + DESCRIPTORS_DRIFT_MAX) {
    problems.push(`There are more than ${DESCRIPTORS_DRIFT_MAX} file descriptors more`)
  }
  if (last.threads > second.threads + THREADS_DRIFT_MAX) {
    problems.push(`There are more than ${THREADS_DRIFT_MAX} threads more`)
  }
  return problems
}

/** @returns a line for display */
export function holdingLine(quarters: readonly Holding[]): string {
  const all = (name: keyof Holding): string =>
    quarters.map((one) => one[name].toFixed(0)).join(', ')
  const drift = 100 * (quarters[3]!.anonymousMegabytes / quarters[1]!.anonymousMegabytes - 1)
  return (
    `by quarter: ${all('anonymousMegabytes')} MB of memory, drift ${drift.toFixed(1)} %; ` +
    `${all('fileDescriptors')} file descriptors; ${all('threads')} threads`
  )
}
