import { execFileSync, fork, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILED_CODE, seededRandom } from '@aisle/testing'
import type { CheckOrder } from './disk-checker.ts'
import { ANSWERS_FILE, makeImage, readJournal } from './disk-journal.ts'
import { BROKEN_EXIT_CODE } from './disk-writer.ts'

export interface DiskReport {
  /** Power cuts, or faults. */
  runs: number
  /** Acknowledgements before them, in total. */
  answers: number
  /**
   * Processes with a fault that ended themselves, because LMDB could not continue, to be restarted.
   */
  restarts: number
  /**
   * Processes aborted because of damaged memory, which lmdb does if a page cannot be written
   * (adapters/lmdb/committer.ts).
   */
  aborts: number
  readonly problems: string[]
}

export interface DiskOptions {
  readonly runs: number
  readonly seed: number
  readonly onProgress?: (report: DiskReport) => void
}

/** Turns per process; cuts per life, before writing starts again. */
const TURNS = 60
const CUTS_PER_LIFE = 500
const FAULT_TURNS = 20
export const PROBLEMS_MAX = 10
const CHECK_MAX_MS = 20_000
const WRITE_MAX_MS = 20_000
/** Maximum of output characters of a process that failed. */
const SAID_MAX = 2_000
/** Input/output error, no space left; 0: only half is written. */
export const ERRNOS = [5, 28, 0]

export const newReport = (): DiskReport => ({
  runs: 0,
  answers: 0,
  restarts: 0,
  aborts: 0,
  problems: [],
})

/** Whether the library can be built here: requires Linux and gcc. */
export function canWatchDisks(): boolean {
  return process.platform === 'linux' && spawnSync('gcc', ['--version']).status === 0
}

export function buildLibrary(folder: string): string {
  const library = join(folder, 'disk.so')
  const source = fileURLToPath(new URL('native/disk.c', import.meta.url))
  execFileSync('gcc', ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl', '-lpthread'])
  return library
}

/** Writes while the disk is watched or fails. @returns how the process ended */
export function write(library: string, root: string, turns: number, watch: Record<string, string>) {
  mkdirSync(root, { recursive: true })
  const writer = fileURLToPath(new URL('disk-writer.ts', import.meta.url))
  return spawnSync(process.execPath, [writer, root, String(turns)], {
    timeout: WRITE_MAX_MS,
    killSignal: 'SIGKILL',
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: COMPILED_CODE,
      LD_PRELOAD: library,
      CHAOS_DISK_ROOT: `${root}/`,
      UV_USE_IO_URING: '0',
      ...watch,
    },
  })
}

/**
 * Cuts the power at random moments of a process that writes documents and events: synced writes are
 * kept, the rest is kept, lost or torn by sectors of 512 bytes. The remaining state must open,
 * contain every acknowledged write, complete, and accept further writes.
 */
export async function runPowerCuts({ runs, seed, onProgress }: DiskOptions): Promise<DiskReport> {
  const report: DiskReport = newReport()
  const random = seededRandom(seed)
  const base = mkdtempSync(join(tmpdir(), 'aisle-disk-'))
  const checker = new Checker()
  try {
    const library = buildLibrary(base)
    for (let life = 1; report.runs < runs && report.problems.length < PROBLEMS_MAX; life++) {
      const root = join(base, `life-${life}`)
      const journal = join(base, `journal-${life}`)
      const { status } = write(library, root, TURNS, { CHAOS_DISK_JOURNAL: journal })
      if (status !== 0) throw new Error(`The process that writes ended with ${status}`)
      const records = readJournal(journal)
      const end = Math.min(runs, report.runs + CUTS_PER_LIFE)
      for (; report.runs < end && report.problems.length < PROBLEMS_MAX; report.runs++) {
        const cut = Math.floor(random() * records.length)
        const folder = join(base, `image-${report.runs}`)
        const answered = makeImage(records, cut, { root, target: folder, random })
        report.answers += answered.length
        // At the very start nothing was acknowledged, and a file may be incomplete.
        const problems =
          answered.length < 2 ? [] : await checker.check({ folder, answered, turns: TURNS })
        for (const problem of problems) {
          report.problems.push(`life ${life}, record ${cut} of ${records.length}: ${problem}`)
        }
        rmSync(folder, { recursive: true, force: true })
        onProgress?.(report)
      }
      rmSync(root, { recursive: true })
    }
  } finally {
    checker.end()
    rmSync(base, { recursive: true, force: true })
  }
  return report
}

/**
 * Lets one write, sync, truncation or rename of such a process fail, the n-th for n = 1, 2, …:
 * input/output error, full disk, half a write. The process continues, acknowledges nothing unsaved,
 * and its disk opens.
 */
export async function runDiskFaults({ runs, seed, onProgress }: DiskOptions): Promise<DiskReport> {
  const report: DiskReport = newReport()
  const base = mkdtempSync(join(tmpdir(), 'aisle-disk-'))
  const checker = new Checker()
  try {
    const library = buildLibrary(base)
    const journal = join(base, 'journal')
    write(library, join(base, 'whole'), FAULT_TURNS, { CHAOS_DISK_JOURNAL: journal })
    const calls = readJournal(journal).filter(({ path }) => !path.endsWith(ANSWERS_FILE)).length
    const first = Math.floor(seededRandom(seed)() * calls)
    for (; report.runs < runs && report.problems.length < PROBLEMS_MAX; report.runs++) {
      // Three rounds cover every call with every error.
      const round = Math.floor(report.runs / calls)
      const call = 1 + ((first + report.runs) % calls)
      const errno = ERRNOS[(round + call) % ERRNOS.length]!
      const root = join(base, `fault-${report.runs}`)
      const { status, signal, stderr } = write(library, root, FAULT_TURNS, {
        CHAOS_DISK_FAULT: `${call}:${errno}`,
      })
      const answered = answeredIn(root)
      report.answers += answered.length
      // Before the first acknowledgement the file may not exist: a failed start.
      if (status === BROKEN_EXIT_CODE) report.restarts++
      else if (signal === 'SIGABRT' && stderr.includes('Attempting to write page')) report.aborts++
      else if (status !== 0 && answered.length > 0) {
        const said = stderr.toString().trim().slice(0, SAID_MAX)
        report.problems.push(`call ${call}, errno ${errno}: ended with ${signal ?? status} ${said}`)
      }
      if (answered.length > 0) {
        const problems = await checker.check({ folder: root, answered, turns: FAULT_TURNS })
        for (const problem of problems) {
          report.problems.push(`call ${call}, errno ${errno}: ${problem}`)
        }
      }
      rmSync(root, { recursive: true, force: true })
      onProgress?.(report)
    }
  } finally {
    checker.end()
    rmSync(base, { recursive: true, force: true })
  }
  return report
}

/** Turns that a process acknowledged. */
export function answeredIn(root: string): number[] {
  const file = join(root, ANSWERS_FILE)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.filter((line) => line !== '').map(Number)
}

/** The process that opens disks; it is replaced when it has ended. */
export class Checker {
  #child: ChildProcess | undefined

  check(order: CheckOrder): Promise<readonly string[]> {
    const child = this.#child ?? this.#start()
    return new Promise((resolve) => {
      const late = setTimeout(() => child.kill('SIGKILL'), CHECK_MAX_MS)
      const finish = (problems: readonly string[]): void => {
        clearTimeout(late)
        child.off('message', finish).off('exit', gone)
        resolve(problems)
      }
      const gone = (): void => {
        this.#child = undefined
        finish(['the process that opens it has died'])
      }
      child.on('message', finish).on('exit', gone)
      child.send(order)
    })
  }

  #start(): ChildProcess {
    // The power did not really fail: LMDB must not trust what was never synced.
    const child = fork(new URL('disk-checker.ts', import.meta.url), {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Without the options of a test runner.
      execArgv: [],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED_CODE, LMDB_RESTORE: 'safe' },
    })
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    this.#child = child
    return child
  }

  end(): void {
    this.#child?.kill('SIGKILL')
  }
}
