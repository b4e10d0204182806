import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { QUARANTINE } from './quarantine.ts'
import { runGroup } from './run-group.ts'
import { testGroups } from './test-groups.ts'
import { TestReport } from './test-report.ts'
import { TestTimes, type Surroundings } from './test-times.ts'

/**
 * A file uses some 60 % of a core: it waits for a disk, a browser, a service that starts. The files
 * of other processes work meanwhile; on a cluster its nodes do.
 */
const PROCESSES_PER_CORE: Readonly<Record<Surroundings, number>> = { machine: 1.5, cluster: 1 }

export interface TestRunOptions {
  readonly surroundings?: Surroundings
  /** Files that share one process, whatever their time. */
  readonly together?: readonly string[]
  /** Variables of the processes. */
  readonly environment?: Readonly<Record<string, string>>
  /** Keeps the time of each file for later runs. */
  readonly isRecorded?: boolean
}

/**
 * Runs test files, grouped by their recorded times, in somewhat more processes at once than there
 * are cores, the longest group first. Prints a line per file and in the end what failed.
 *
 * With `TEST_TOTALS_FILE` set, the totals and the failures in short are also written there as JSON,
 * for tools/ci.ts: what tests print can never be mistaken for a count. After SIGTERM it starts
 * nothing more and reports what it has.
 *
 * @returns whether all went well
 */
export async function runTests(
  files: readonly string[],
  {
    surroundings = 'machine',
    together = [],
    environment = {},
    isRecorded = false,
  }: TestRunOptions = {},
): Promise<boolean> {
  const startMs = performance.now()
  const times = TestTimes.read(surroundings)
  const quarantine = QUARANTINE.map(({ file }) => file)
  const report = new TestReport(quarantine)
  // What crashes in quarantine must take nothing else along.
  const apart = files.filter((file) => quarantine.includes(file)).map((file) => [file])
  const grouped = new Set([...together, ...apart.flat()])
  const waiting = [
    ...(together.length > 0 ? [together] : []),
    ...apart,
    ...testGroups(
      files.filter((file) => !grouped.has(file)),
      (file) => times.secondsOf(file),
    ),
  ]
  if (files.length === 0) report.fail('No test file has such a name')
  const stop = new AbortController()
  process.once('SIGTERM', () => stop.abort())
  const runGroups = async (): Promise<void> => {
    for (let group; !stop.signal.aborted && (group = waiting.shift()) !== undefined;) {
      await runGroup(group, report, environment, stop.signal)
    }
  }
  const processes = Math.ceil(availableParallelism() * PROCESSES_PER_CORE[surroundings])
  await Promise.all(Array.from({ length: processes }, runGroups))
  if (waiting.length > 0) {
    report.fail(`Stopped: ${waiting.flat().length} files have not run: ${waiting.flat().join(' ')}`)
  }

  process.stdout.write(report.summary(performance.now() - startMs))
  const totalsFile = process.env['TEST_TOTALS_FILE']
  if (totalsFile !== undefined) {
    const outcome = { ...report.totals, failures: report.failuresInShort() }
    writeFileSync(totalsFile, JSON.stringify(outcome))
  }
  if (isRecorded) times.record(report.seconds())
  return report.totals.failed === 0
}
