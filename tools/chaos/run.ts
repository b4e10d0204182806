import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServerProcess, seededRandom } from '@aisle/testing'
import { AllKinds } from './all-kinds.ts'

export interface ChaosOptions {
  readonly rounds: number
  readonly seed: number
  readonly threads?: number
  /** Delay of the kill after the writers have started. */
  readonly killAfterMs: readonly [number, number]
  readonly onRound?: (round: number, report: ChaosReport) => void
}

export interface ChaosReport {
  rounds: number
  /** Starts that were killed before the service was ready, besides the rounds. */
  cutStarts: number
  /** Acknowledged calls. */
  acknowledged: number
  /** Ids that were read back and searched, over all rounds. */
  verified: number
  /** Longest time from the start of the process to the first 200 of `/health`. */
  startMsMax: number
  readonly problems: string[]
}

/** The data folder is replaced after this many rounds. */
const ROUNDS_PER_FOLDER = 25
/** Every so often the process shuts down gracefully: only then small stores have index files. */
const ROUNDS_PER_CLEAN_STOP = 5
const FIRST_ANSWER_MAX_MS = 10_000
const CUT_START_SHARE = 0.2
const CUT_START_MAX_MS = 3_000
const SIZES = { documents: 400, snapshotEveryMs: 1_000 }

/**
 * Repeatedly writes all kinds of data concurrently, kills the process at a random moment, restarts
 * it and checks.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const report: ChaosReport = {
    rounds: 0,
    cutStarts: 0,
    acknowledged: 0,
    verified: 0,
    startMsMax: 0,
    problems: [],
  }
  const random = seededRandom(options.seed)
  while (report.rounds < options.rounds && report.problems.length === 0) {
    const dataDir = mkdtempSync(join(tmpdir(), 'aisle-chaos-'))
    const rounds = Math.min(ROUNDS_PER_FOLDER, options.rounds - report.rounds)
    try {
      await runFolder(dataDir, rounds, options, random, report)
    } finally {
      // Failures are kept for inspection.
      if (report.problems.length === 0) rmSync(dataDir, { recursive: true, force: true })
    }
    if (report.problems.length > 0) report.problems.push(`data folder kept: ${dataDir}`)
  }
  return report
}

async function runFolder(
  dataDir: string,
  rounds: number,
  { killAfterMs, threads = 2, onRound }: ChaosOptions,
  random: () => number,
  report: ChaosReport,
): Promise<void> {
  const start = async (): Promise<ServerProcess> => {
    const server = await ServerProcess.start({
      dataDir,
      threads,
      environment: { AISLE_LOG_LEVEL: 'warn', AISLE_SNAPSHOT_KEEP: '2' },
    })
    report.startMsMax = Math.max(report.startMsMax, server.startMs)
    return server
  }
  let server = await start()
  const all = await AllKinds.create(server, SIZES)
  let before = 0
  for (let round = 0; round < rounds; round++) {
    const [least, most] = killAfterMs
    const working = all.work(server, random)
    await sleep(least + random() * (most - least))
    await firstAnswer(all, before)
    process.kill(server.pid, 'SIGKILL')
    report.problems.push(...(await working))
    await server.stop({ keepData: true })

    // Interrupts a start too: the next start completes its repairs.
    if (random() < CUT_START_SHARE) {
      await cutStart(dataDir, random() * CUT_START_MAX_MS)
      report.cutStarts++
    }
    server = await start()
    if (round % ROUNDS_PER_CLEAN_STOP === 1) {
      await server.stop({ keepData: true })
      server = await start()
    }
    const verifiedBefore = all.verified
    report.problems.push(...(await all.verify(server, random)))
    report.verified += all.verified - verifiedBefore
    report.rounds++
    const answered = answersOf(all)
    report.acknowledged += answered - before
    before = answered
    onRound?.(report.rounds, report)
    if (report.problems.length > 0) break
  }
  await server.stop({ keepData: true })
}

async function cutStart(dataDir: string, afterMs: number): Promise<void> {
  const options = { dataDir, threads: 1, startLimitMs: afterMs }
  const server = await ServerProcess.start(options).catch(() => undefined)
  if (server === undefined) return
  process.kill(server.pid, 'SIGKILL')
  await server.stop({ keepData: true })
}

function answersOf(all: AllKinds): number {
  return [...all.calls.values()].reduce((sum, count) => sum + count, 0)
}

/**
 * On a busy machine the process lives until a write was acknowledged: otherwise nothing could be
 * lost.
 */
async function firstAnswer(all: AllKinds, before: number): Promise<void> {
  const endMs = performance.now() + FIRST_ANSWER_MAX_MS
  while (performance.now() < endMs && answersOf(all) === before) await sleep(1)
}
