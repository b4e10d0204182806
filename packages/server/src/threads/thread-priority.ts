import { getPriority, setPriority } from 'node:os'

/** What nobody waits for: merges, suggestions. A tenth of the weight that a serving thread has. */
export const BACKGROUND_NICENESS = 10
/** What somebody waits for, but for longer than for a search: reports. A third of that weight. */
export const PATIENT_NICENESS = 5

const NICENESS_MAX = 19

/**
 * Makes way for threads that answer requests: while processors are short this thread gets less of
 * them, and one that wakes up takes the processor from it at once. On an idle machine nothing
 * changes. Once lowered it stays so: raising it takes rights that a service does not have.
 *
 * Linux only, where 0 names the calling thread; elsewhere it would name the whole process, and
 * nothing is done.
 *
 * @param niceness is added to that of the service
 */
export function lowerThreadPriority(niceness: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, Math.min(NICENESS_MAX, getPriority(0) + niceness))
  } catch {
    // Not allowed here (a filter of system calls): it works as it is, and is less fair.
  }
}
