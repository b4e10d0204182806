import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@aisle/testing'
import {
  answeredIn,
  buildLibrary,
  Checker,
  ERRNOS,
  newReport,
  PROBLEMS_MAX,
  write,
  type DiskOptions,
  type DiskReport,
} from './disk.ts'
import { ANSWERS_FILE, makeImage, readJournal } from './disk-journal.ts'

const TURNS = 40
/** Calls that fail one after the other, at most; calls after them until the kill, at most. */
const FAULTS_MAX = 60
const AFTER_MAX = 30
/** Power cuts for each process with a failing disk. */
const CUTS = 10
/** Fraction of the calls between the first faults of two processes: its multiples spread evenly. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * Two faults at once, on the parts that write documents and events: the disk is full or fails for a
 * while, and meanwhile or soon after the process is killed within a call, or the power fails. What
 * was acknowledged before, between and after is on the disk, which opens and takes further writes.
 */
export async function runDiskPairs({ runs, seed, onProgress }: DiskOptions): Promise<DiskReport> {
  const report = newReport()
  const random = seededRandom(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const base = mkdtempSync(join(tmpdir(), 'aisle-disk-'))
  const checker = new Checker()
  const check = async (folder: string, answered: number[], what: string): Promise<void> => {
    report.answers += answered.length
    // At the very start nothing was acknowledged, and a file may be incomplete.
    const problems =
      answered.length < 2 ? [] : await checker.check({ folder, answered, turns: TURNS })
    for (const problem of problems) report.problems.push(`${what}: ${problem}`)
    rmSync(folder, { recursive: true, force: true })
    report.runs++
    onProgress?.(report)
  }
  try {
    const library = buildLibrary(base)
    const journal = join(base, 'journal')
    write(library, join(base, 'whole'), TURNS, { CHAOS_DISK_JOURNAL: journal })
    const calls = readJournal(journal).filter(({ path }) => !path.endsWith(ANSWERS_FILE)).length
    // Places drawn one by one may all be early, when little has been acknowledged.
    let place = random()
    while (report.runs < runs && report.problems.length < PROBLEMS_MAX) {
      const number = report.runs
      place = (place + GOLDEN) % 1
      const first = 1 + Math.floor(place * calls)
      const [count, errno] = [1 + below(FAULTS_MAX), ERRNOS[below(3)]!]
      const fault = `${first}:${errno}:${count}`
      const root = join(base, `root-${number}`)
      if (random() < 0.5) {
        const kill = String(first + 1 + below(count + AFTER_MAX))
        write(library, root, TURNS, { CHAOS_DISK_FAULT: fault, CHAOS_DISK_KILL: kill })
        await check(root, answeredIn(root), `fault ${fault}, killed at ${kill}`)
        continue
      }
      const log = join(base, `journal-${number}`)
      write(library, root, TURNS, { CHAOS_DISK_FAULT: fault, CHAOS_DISK_JOURNAL: log })
      const records = readJournal(log)
      const from = Math.min(first, records.length - 1)
      for (let i = 0; i < CUTS && report.runs < runs; i++) {
        const cut = from + below(records.length - from)
        const folder = join(base, `image-${report.runs}`)
        const answered = makeImage(records, cut, { root, target: folder, random })
        await check(folder, answered, `fault ${fault}, power cut at ${cut} of ${records.length}`)
      }
      rmSync(root, { recursive: true, force: true })
      rmSync(log)
    }
  } finally {
    checker.end()
    rmSync(base, { recursive: true, force: true })
  }
  return report
}
