import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServerProcess, seededRandom } from '@aisle/testing'
import { AllKinds } from './all-kinds.ts'
import { SNAPSHOTS_KEPT_MIN } from './soak-loads.ts'

export interface ChaosOptions {
  readonly rounds: number
  readonly seed: number
  /** Each life has one to as many serving threads. */
  readonly threads?: number
  /**
   * Acknowledged calls of a life until the kill, few as often as many: on a busy machine a life
   * takes longer, and loses no less.
   */
  readonly killAfterAnswers: readonly [number, number]
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
/** Maximum duration of a life; the delay of the kill after the last of its answers. */
const LIFE_MAX_MS = 20_000
const WITHIN_CALL_MS = 20
const CUT_START_SHARE = 0.2
const SIZES = { documents: 400, snapshotEveryMs: 300 }

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
  { killAfterAnswers, threads = 2, onRound }: ChaosOptions,
  random: () => number,
  report: ChaosReport,
): Promise<void> {
  const start = async (): Promise<ServerProcess> => {
    const server = await ServerProcess.start({
      dataDir,
      // One thread starts in two thirds of the time.
      threads: 1 + Math.floor(random() * threads),
      environment: { AISLE_LOG_LEVEL: 'warn', AISLE_SNAPSHOT_KEEP: String(SNAPSHOTS_KEPT_MIN) },
    })
    report.startMsMax = Math.max(report.startMsMax, server.startMs)
    return server
  }
  let server = await start()
  const all = await AllKinds.create(server, SIZES)
  let before = 0
  for (let round = 0; round < rounds; round++) {
    const [least, most] = killAfterAnswers
    const working = all.work(server, random)
    await answers(all, before + least * (most / least) ** random())
    await sleep(random() * WITHIN_CALL_MS)
    process.kill(server.pid, 'SIGKILL')
    report.problems.push(...(await working))
    await server.stop({ keepData: true })

    // Interrupts a start too: the next start completes its repairs.
    if (random() < CUT_START_SHARE) {
      await cutStart(dataDir, random() * server.startMs)
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

/** Resolves when that many calls were acknowledged, or the life has lasted long enough. */
async function answers(all: AllKinds, count: number): Promise<void> {
  const endMs = performance.now() + LIFE_MAX_MS
  while (performance.now() < endMs && answersOf(all) < count) await sleep(1)
}
