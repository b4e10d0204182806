import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServerProcess, seededRandom } from '@aisle/testing'
import { AllKinds, type LoadSizes } from './all-kinds.ts'
import { sampledTo, threadLines } from './thread-memory.ts'
import { byQuarter, growthOf, holdingLine, watchHolding, type Holding } from './process-watch.ts'

export interface SoakOptions {
  readonly seconds: number
  readonly seed: number
  readonly threads?: number
  /** Lifetime of the process until it is killed, in the first part. */
  readonly lifeSeconds: readonly [number, number]
  /**
   * One life with few calls a second, so that a busy machine keeps up: whether its memory grows is
   * then not a matter of its load.
   */
  readonly steady?: boolean
  readonly sizes?: LoadSizes
  readonly onLife?: (report: SoakReport) => void
  /** The last life has ended, and is about to be checked. */
  readonly onLastLife?: (lines: readonly string[]) => void
}

export interface SoakReport {
  /** Processes that were killed with kill -9. */
  kills: number
  /** Acknowledged calls, by kind of work. */
  calls: ReadonlyMap<string, number>
  /** Ids of documents that were read back and searched. */
  verified: number
  startMsMax: number
  /** Resources of the process in its last life, by quarter. */
  held: readonly Holding[] | undefined
  /** What each of its threads holds: a line for each. */
  threads: readonly string[]
  readonly problems: string[]
}

/** The share of the time with repeated kills; in the rest the process lives on. */
const KILLING_SHARE = 0.4
const SAMPLE_MS = 500
/** Samples of a short life: more than the four quarters of the report. */
const SAMPLES_MIN = 8
const SIZES = { documents: 2_000, snapshotEveryMs: 5_000 }
const STEADY_SIZES = { documents: 2_000, snapshotEveryMs: 60_000, pauseMs: 250 }
const BEGIN_MAX_MS = 60_000

/**
 * Everything at once, for a long time: documents by all routes, stores that are created and
 * deleted, searches, events, presets, sets, rules and settings, keys, snapshots. First the process
 * is killed at random moments and acknowledged writes are checked; then it runs for the rest of the
 * time, with its memory, file descriptors and threads measured, and is killed at the end.
 */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { seconds, seed, threads = 2, lifeSeconds, steady = false } = options
  const { onLife, onLastLife } = options
  const sizes = options.sizes ?? (steady ? STEADY_SIZES : SIZES)
  const random = seededRandom(seed)
  const report: SoakReport = {
    kills: 0,
    calls: new Map(),
    verified: 0,
    startMsMax: 0,
    held: undefined,
    threads: [],
    problems: [],
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'aisle-'))
  const samplesFile = `${dataDir}.memory`
  const start = async (): Promise<ServerProcess> => {
    const environment = {
      AISLE_LOG_LEVEL: 'warn',
      AISLE_SNAPSHOT_KEEP: '3',
      ...sampledTo(samplesFile),
    }
    rmSync(samplesFile, { force: true })
    const server = await ServerProcess.start({ dataDir, threads, environment })
    report.startMsMax = Math.max(report.startMsMax, server.startMs)
    return server
  }
  let server = await start()
  const all = await AllKinds.create(server, sizes)
  const endMs = performance.now() + seconds * 1_000
  for (let isLast = false; !isLast && report.problems.length === 0;) {
    const leftMs = endMs - performance.now()
    isLast = leftMs <= seconds * 1_000 * (1 - (steady ? 0 : KILLING_SHARE))
    const [least, most] = lifeSeconds
    const lifeMs = isLast ? Math.max(leftMs, 1_000) : (least + random() * (most - least)) * 1_000
    const working = all.work(server, random)
    const everyMs = Math.min(SAMPLE_MS, lifeMs / SAMPLES_MIN)
    const samples = await watchHolding(server.pid, { forMs: lifeMs, everyMs })
    if (isLast) await allHaveBegun(all)
    process.kill(server.pid, 'SIGKILL')
    report.problems.push(...(await working))
    report.kills++
    await server.stop({ keepData: true })
    if (isLast) {
      report.held = byQuarter(samples)
      report.threads = threadLines(samplesFile)
      onLastLife?.(heldLines(report))
    }
    server = await start()
    report.problems.push(...(await all.verify(server, random)))
    report.calls = all.calls
    report.verified = all.verified
    onLife?.(report)
  }
  await server.stop({ keepData: true })
  rmSync(samplesFile, { force: true })
  if (report.problems.length === 0) ServerProcess.removeData(dataDir)
  else report.problems.push(`data folder kept: ${dataDir}`)
  return report
}

/** A short run on a busy machine continues until every kind of work has finished once. */
async function allHaveBegun(all: AllKinds): Promise<void> {
  const endMs = performance.now() + BEGIN_MAX_MS
  while (performance.now() < endMs && [...all.calls.values()].includes(0)) await sleep(SAMPLE_MS)
}

/** @returns all problems */
export function soakProblems(report: SoakReport): string[] {
  return [...report.problems, ...growthOf(report.held)]
}

/** @returns the lines of the final report */
export function soakLines(report: SoakReport): string[] {
  const { kills, calls, verified, startMsMax } = report
  const lines = [...calls].map(([name, count]) => `${count} ${name}`)
  lines.push(
    `${kills} kills; ${verified} documents checked; slowest start ${Math.round(startMsMax)} ms`,
  )
  return [...lines, ...heldLines(report)]
}

function heldLines({ held, threads }: SoakReport): string[] {
  return held === undefined ? [] : [`the last life ${holdingLine(held)}`, ...threads]
}
