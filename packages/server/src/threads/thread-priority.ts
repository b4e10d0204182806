import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

/** What nobody waits for: merges, suggestions. A tenth of the weight that a serving thread has. */
export const BACKGROUND_NICENESS = 10
/**
 * What somebody waits for, but for longer than for a search: reports, the writer. A third of that
 * weight.
 */
export const PATIENT_NICENESS = 5

const NICENESS_MAX = 19
/** In the environment of threads that are started later: the niceness of the service. */
const OF_SERVICE = 'aisle niceness'
/** As Node names the threads in which V8 collects garbage and compiles for all others. */
const HELPERS = 'node-V8Worker'

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
  setNiceness(0, () => nicenessOfService() + niceness)
}

/**
 * The same for the writer, which calls this, and for the helpers of V8: at full speed they take
 * both of two processors, and a search waited for one of them as long as it worked. Serving threads
 * must have been started, because a thread begins with the priority of the one that starts it.
 */
export function makeWayForSearches(): void {
  if (process.platform !== 'linux') return
  const niceness = getPriority(0)
  setEnvironmentData(OF_SERVICE, niceness)
  for (const thread of [0, ...helpers()]) setNiceness(thread, () => niceness + PATIENT_NICENESS)
}

/**
 * For a thread that answers requests and replaces one that has ended: the priority of the service,
 * if it has the right to (`CAP_SYS_NICE`, `LimitNICE=`). Without it, that of the writer.
 */
export function restoreThreadPriority(): void {
  if (getEnvironmentData(OF_SERVICE) !== undefined) setNiceness(0, nicenessOfService)
}

function nicenessOfService(): number {
  const known = getEnvironmentData(OF_SERVICE)
  return typeof known === 'number' ? known : getPriority(0)
}

/** @param thread 0 is the calling one */
function setNiceness(thread: number, niceness: () => number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(thread, Math.min(NICENESS_MAX, niceness()))
  } catch {
    // Not allowed here (a filter of system calls), or over: it works as it is, and is less fair.
  }
}

/** Numbers of threads of this process; none where /proc does not say. */
function helpers(): number[] {
  try {
    const tasks = '/proc/self/task'
    return readdirSync(tasks)
      .filter((thread) => readFileSync(`${tasks}/${thread}/comm`, 'utf8').trim() === HELPERS)
      .map(Number)
  } catch {
    return []
  }
}
