import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

/**
 * Niceness of work that nobody waits for: merges, suggestions. A tenth of the weight of a serving
 * thread.
 */
export const BACKGROUND_NICENESS = 10
/**
 * Niceness of work that may wait longer than a search: reports, the writer. A third of that weight.
 */
export const PATIENT_NICENESS = 5

const NICENESS_MAX = 19
/** Environment variable with the niceness of the service, for threads started later. */
const OF_SERVICE = 'aisle niceness'
/** Node's name for the threads in which V8 collects garbage and compiles for all others. */
const HELPERS = 'node-V8Worker'

/**
 * Lowers the priority of this thread below those that respond to requests: while processors are
 * short it gets less time, and a serving thread that wakes up preempts it at once. On an idle
 * machine nothing changes. The priority stays lowered, because raising it takes rights that a
 * service does not have.
 *
 * Linux only, where 0 names the calling thread; elsewhere it would name the whole process, and
 * nothing is done.
 *
 * @param niceness added to that of the service
 */
export function lowerThreadPriority(niceness: number): void {
  setNiceness(0, () => nicenessOfService() + niceness)
}

/**
 * Does the same for the calling writer and for the helpers of V8, which at full speed occupied both
 * of two processors while a search waited. Serving threads must have been started before, because a
 * thread inherits the priority of the one that starts it.
 */
export function makeWayForSearches(): void {
  if (process.platform !== 'linux') return
  const niceness = getPriority(0)
  setEnvironmentData(OF_SERVICE, niceness)
  for (const thread of [0, ...helpers()]) setNiceness(thread, () => niceness + PATIENT_NICENESS)
}

/**
 * Gives a serving thread that replaces another the priority of the service, if that is permitted
 * (`CAP_SYS_NICE`, `LimitNICE=`). Otherwise it keeps that of the writer.
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
    // The change is not permitted here (a system call filter), or the thread has ended. The thread
    // works anyway, less fairly.
  }
}

/** Ids of the threads of this process; none without /proc. */
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
