import { fork, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { COMPILED_CODE, seededRandom } from '@aisle/testing'
import { placesOf } from './folder-places.ts'
import { damageFile, DAMAGES } from './mutate.ts'
import type { Found, Kind, Order } from './mutation-subject.ts'
import { makeWholeFolder } from './whole-folder.ts'

export interface MutationOptions {
  readonly mutations: number
  readonly seed: number
  readonly onProgress?: (report: MutationReport) => void
}

export interface MutationReport {
  mutations: number
  /** Number of mutations by outcome and kind of file. */
  readonly outcomes: Map<Kind, Map<Outcome, number>>
  readonly problems: string[]
}

export type Outcome =
  /** The check process crashed or rejected the file: the service does not start with it. */
  | 'refused'
  /** The damage is known, and the rest is intact. */
  | 'noticed'
  /** The end of a log is missing, as after a power failure: the rest is intact. */
  | 'cut'
  /** The bytes are unused. */
  | 'harmless'

/** Out of 20 mutations. */
const SHARES: readonly Kind[] = [
  ...Array.from({ length: 5 }, () => ['documents', 'index', 'events'] as const).flat(),
  'snapshots',
  'snapshots',
  'reports',
  'suggestions',
  'suggestions',
]
const PROBLEMS_MAX = 20
const ANSWER_MAX_MS = 10_000

/**
 * Damages one file of a data folder at a time, and reads it with the parts of the service that read
 * such files: the file must be refused, or the damage detected and the rest intact. Nothing is ever
 * read that was not written, and only the check process may crash.
 */
export async function runMutations(options: MutationOptions): Promise<MutationReport> {
  const { mutations, seed, onProgress } = options
  const report: MutationReport = { mutations: 0, outcomes: new Map(), problems: [] }
  const random = seededRandom(seed)
  const base = mkdtempSync(join(tmpdir(), 'aisle-mutations-'))
  const whole = join(base, 'whole')
  await makeWholeFolder(whole)
  const subject = new Subject()
  try {
    const wanted = new Map<Kind, readonly string[]>()
    for (const kind of new Set(SHARES)) {
      const { found } = await subject.read({ kind, folder: copyOf(whole, kind, base) })
      if (found === undefined || !('items' in found) || found.items.length === 0) {
        throw new Error(`Undamaged ${kind} cannot be read: ${JSON.stringify(found)}`)
      }
      wanted.set(kind, found.items)
    }
    while (report.mutations < mutations && report.problems.length < PROBLEMS_MAX) {
      const kind = SHARES[Math.floor(random() * SHARES.length)]!
      const folder = copyOf(whole, kind, base)
      const damage = DAMAGES[Math.floor(random() * DAMAGES.length)]!
      const file = anyFile(placesOf(folder)[kind], random)
      const changed = damageFile(file, damage, random)
      const answer = await subject.read({ kind, folder })
      const outcome = judge(answer, wanted.get(kind)!, kind, changed)
      if (outcome === 'wrong' || outcome === 'died') {
        const what = JSON.stringify(answer.found)?.slice(0, 200)
        report.problems.push(`${damage} in ${basename(file)}: ${outcome}, ${what ?? 'no answer'}`)
      } else {
        const ofKind = report.outcomes.get(kind) ?? new Map<Outcome, number>()
        ofKind.set(outcome, (ofKind.get(outcome) ?? 0) + 1)
        report.outcomes.set(kind, ofKind)
      }
      report.mutations++
      rmSync(folder, { recursive: true })
      onProgress?.(report)
    }
    if (subject.lateDeaths > 0) report.problems.push(`died ${subject.lateDeaths} times afterwards`)
  } finally {
    subject.end()
    rmSync(base, { recursive: true, force: true })
  }
  return report
}

interface Answer {
  /** Absent: the process has ended. */
  readonly found: Found | undefined
  /** The check process read last. */
  readonly whileChecking: boolean
}

function judge(
  { found, whileChecking }: Answer,
  wanted: readonly string[],
  kind: Kind,
  changed: boolean,
): Outcome | 'wrong' | 'died' {
  if (found === undefined) return whileChecking && kind === 'documents' ? 'refused' : 'died'
  if ('refused' in found) return changed ? 'refused' : 'wrong'
  if (!('items' in found)) return 'wrong'
  const { items, noticed } = found
  if (items.length === wanted.length && items.every((item, i) => item === wanted[i])) {
    return noticed ? 'noticed' : 'harmless'
  }
  const known = new Set(wanted)
  if (!items.every((item) => known.has(item))) return 'wrong'
  if (noticed) return 'noticed'
  return kind === 'events' && items.every((item, i) => item === wanted[i]) ? 'cut' : 'wrong'
}

let copyCount = 0

function copyOf(whole: string, kind: Kind, base: string): string {
  const folder = join(base, String(++copyCount))
  cpSync(placesOf(whole)[kind], placesOf(folder)[kind], { recursive: true })
  return folder
}

function anyFile(folder: string, random: () => number): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^lock\.mdb$|^aisle\.json$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  return files[Math.floor(random() * files.length)]!
}

/** The process that reads; it is replaced when it has ended. */
class Subject {
  /** Number of crashes after it had read a file as the service, and answered. */
  lateDeaths = 0
  #child: ChildProcess | undefined
  #hasAnswered = false

  read(order: Order): Promise<Answer> {
    const child = this.#child ?? this.#start()
    return new Promise((resolve) => {
      let whileChecking = true
      const late = setTimeout(() => child.kill('SIGKILL'), ANSWER_MAX_MS)
      this.#hasAnswered = false
      const finish = (found: Found | undefined): void => {
        clearTimeout(late)
        this.#hasAnswered = !whileChecking
        // A garbled page may harm the process that has read it: the next file gets a new one.
        if (order.kind === 'documents') this.end()
        child.off('message', listen).off('exit', gone)
        resolve({ found, whileChecking })
      }
      const listen = (found: Found): void => {
        if ('stage' in found) whileChecking = false
        else finish(found)
      }
      const gone = (): void => {
        this.#child = undefined
        finish(undefined)
      }
      child.on('message', listen).on('exit', gone)
      child.send(order)
    })
  }

  #start(): ChildProcess {
    const child = fork(new URL('mutation-subject.ts', import.meta.url), {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Without the options of a test runner.
      execArgv: [],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED_CODE },
    })
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
      if (this.#hasAnswered) this.lateDeaths++
    })
    this.#child = child
    return child
  }

  end(): void {
    this.#hasAnswered = false
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}
