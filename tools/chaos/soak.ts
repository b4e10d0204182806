import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AisleClient } from '../lib/aisle-client.ts'
import type { StoreKeys } from '../lib/aisle-client.ts'
import { ServerProcess } from '../lib/server-process.ts'
import { mulberry32 } from './random.ts'
import {
  ConfigureLoad,
  createSoakStore,
  EventLoad,
  RotationLoad,
  SearchLoad,
  SnapshotLoad,
} from './soak-loads.ts'
import type { SoakLoad } from './soak-loads.ts'
import { StoreClient } from './store-client.ts'
import { StoreLives } from './store-lives.ts'
import { verifyStore } from './verify.ts'
import { bulkWriter, clearingWriter, singleWriter } from './writers.ts'
import type { ChaosWriter } from './writers.ts'

export interface SoakOptions {
  readonly seconds: number
  readonly seed: number
  readonly threads?: number
  /** How long the process lives until it is killed, in the first part. */
  readonly lifeSeconds: readonly [number, number]
  readonly onLife?: (report: SoakReport) => void
}

export interface SoakReport {
  /** Processes that were killed with kill -9. */
  kills: number
  /** Answered calls, by kind of work. */
  readonly calls: Map<string, number>
  /** Ids of documents that were read back and searched for. */
  verified: number
  startMsMax: number
  /** Of the last life: megabytes of the process, by quarter, medians. */
  memory: readonly number[] | undefined
  readonly problems: string[]
}

/** The part of the time in which the process is killed again and again; in the rest it lives on. */
const KILLING_SHARE = 0.4
const SAMPLE_MS = 500
const BEGIN_MAX_MS = 60_000

/**
 * Everything at once, for a long time: documents by all routes, stores that come and go, searches,
 * events, presets, sets, rules and settings, keys, snapshots. First the process is killed at random
 * moments and what was answered is looked for; then it lives through the rest of the time, its memory is
 * watched, and in the end it is killed as well.
 */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { seconds, seed, threads = 2, lifeSeconds, onLife } = options
  const random = mulberry32(seed)
  const report: SoakReport = {
    kills: 0,
    calls: new Map(),
    verified: 0,
    startMsMax: 0,
    memory: undefined,
    problems: [],
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'aisle-'))
  const start = async (): Promise<ServerProcess> => {
    const environment = { AISLE_LOG_LEVEL: 'warn', AISLE_SNAPSHOT_KEEP: '3' }
    const server = await ServerProcess.start({ dataDir, threads, environment })
    report.startMsMax = Math.max(report.startMsMax, server.startMs)
    return server
  }
  let server = await start()
  const soak = await Soak.create(server, report)
  const endMs = performance.now() + seconds * 1_000
  for (let isLast = false; !isLast && report.problems.length === 0;) {
    const leftMs = endMs - performance.now()
    isLast = leftMs <= seconds * 1_000 * (1 - KILLING_SHARE)
    const [least, most] = lifeSeconds
    const lifeMs = isLast ? Math.max(leftMs, 1_000) : (least + random() * (most - least)) * 1_000
    const working = soak.work(server, random)
    const samples = await watchMemory(server.pid, lifeMs)
    if (isLast) await soak.allHaveBegun()
    process.kill(server.pid, 'SIGKILL')
    report.problems.push(...(await working))
    report.kills++
    await server.stop({ keepData: true })
    if (isLast) report.memory = byQuarter(samples)
    server = await start()
    report.problems.push(...(await soak.verify(server, random)))
    onLife?.(report)
  }
  await server.stop({ keepData: true })
  if (report.problems.length === 0) ServerProcess.removeData(dataDir)
  else report.problems.push(`data folder kept: ${dataDir}`)
  return report
}

/** All that works at the same time, over the lives of the process. */
class Soak {
  readonly #keys: Map<string, StoreKeys>
  readonly #loads: readonly SoakLoad[]
  readonly #report: SoakReport
  readonly #lives = new StoreLives()
  readonly #writers: readonly ChaosWriter[] = [
    singleWriter('single', 'shared', 60),
    bulkWriter('bulk', 'shared', 2_000, false),
    bulkWriter('stream', 'shared', 2_000, true),
    clearingWriter('clear', 'own', 300),
  ]

  private constructor(
    keys: Map<string, StoreKeys>,
    loads: readonly SoakLoad[],
    report: SoakReport,
  ) {
    this.#keys = keys
    this.#loads = loads
    this.#report = report
  }

  static async create(server: ServerProcess, report: SoakReport): Promise<Soak> {
    const keys = new Map<string, StoreKeys>()
    for (const id of ['shared', 'own', 'configured'])
      keys.set(id, await createSoakStore(server, id))
    const loads = [
      new SearchLoad(keys.get('shared')!),
      new ConfigureLoad(keys.get('configured')!),
      await EventLoad.create(server),
      await RotationLoad.create(server),
      new SnapshotLoad(),
    ]
    return new Soak(keys, loads, report)
  }

  /** Until the process is gone. @returns problems */
  async work(server: ServerProcess, random: () => number): Promise<string[]> {
    const { url, adminToken } = server
    const clients = this.#writers.map(
      ({ storeId }) => new StoreClient(url, this.#keys.get(storeId)!),
    )
    const admin = new AisleClient(url, { adminToken })
    const problems = await Promise.all([
      ...this.#writers.map((writer, i) => writer.run(clients[i]!, random)),
      this.#lives.run(admin, random),
      ...this.#loads.map((load) => load.run(server, random)),
    ])
    for (const client of [...clients, admin]) client.close()
    this.#count()
    return problems.flat()
  }

  /** A short run on a busy machine goes on until every kind of work was done once, with an end. */
  async allHaveBegun(): Promise<void> {
    const endMs = performance.now() + BEGIN_MAX_MS
    while (performance.now() < endMs) {
      this.#count()
      if ([...this.#report.calls.values()].every((count) => count > 0)) return
      await sleep(SAMPLE_MS)
    }
  }

  async verify(server: ServerProcess, random: () => number): Promise<string[]> {
    const problems: string[] = []
    for (const [storeId, keys] of this.#keys) {
      const own = this.#writers.filter((writer) => writer.storeId === storeId)
      if (own.length === 0) continue
      const client = new StoreClient(server.url, keys)
      problems.push(...(await verifyStore(client, own, random)))
      this.#report.verified += own.reduce((sum, { journal }) => sum + journal.known.size, 0)
      client.close()
    }
    const reader = new AisleClient(server.url)
    problems.push(...(await this.#lives.verify(reader)))
    reader.close()
    for (const load of this.#loads) problems.push(...((await load.verify?.(server)) ?? []))
    return problems
  }

  #count(): void {
    const { calls } = this.#report
    const writes = this.#writers.reduce((sum, { journal }) => sum + journal.ackCount, 0)
    calls.set('writes', writes)
    calls.set('stores made, filled, deleted', this.#lives.ackCount)
    for (const { name, count } of this.#loads) calls.set(name, count)
  }
}

/** @returns resident megabytes of the process, sampled until the time is over */
async function watchMemory(pid: number, ms: number): Promise<number[]> {
  const samples: number[] = []
  for (const endMs = performance.now() + ms; performance.now() < endMs;) {
    samples.push(residentMegabytes(pid))
    await sleep(Math.min(SAMPLE_MS, Math.max(1, endMs - performance.now())))
  }
  return samples
}

/**
 * Linux; elsewhere nothing is measured. Without pages of files: the document file is mapped, and how much
 * of it stays in memory is the system's affair.
 */
function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const [, all] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? []
    const [, ofFiles] = /^RssFile:\s+(\d+) kB$/m.exec(status) ?? []
    return (Number(all) - Number(ofFiles)) / 1_000
  } catch {
    return Number.NaN
  }
}

function byQuarter(samples: readonly number[]): SoakReport['memory'] {
  const quarter = Math.floor(samples.length / 4)
  if (quarter === 0 || samples.some(Number.isNaN)) return undefined
  return [0, 1, 2, 3].map((i) => median(samples.slice(i * quarter, (i + 1) * quarter)))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** By so much the memory of the last quarter may be above that of the second: the first is warming up. */
const DRIFT_MAX = 0.05

/** @returns growth of the memory, 0.05 for 5 %; 0 when it was not measured */
function driftOf({ memory }: SoakReport): number {
  return memory === undefined ? 0 : memory[3]! / memory[1]! - 1
}

/** @returns all that is wrong */
export function soakProblems(report: SoakReport): string[] {
  const grew = driftOf(report) > DRIFT_MAX ? ['The memory has grown by more than 5 %'] : []
  return [...report.problems, ...grew]
}

/** @returns what a person reads at the end */
export function soakLines(report: SoakReport): string[] {
  const { kills, calls, verified, startMsMax, memory } = report
  const lines = [...calls].map(([name, count]) => `${count} ${name}`)
  lines.push(
    `${kills} times killed; ${verified} documents looked for; slowest start ${Math.round(startMsMax)} ms`,
  )
  if (memory === undefined) return lines
  const quarters = memory.map((megabytes) => megabytes.toFixed(0)).join(', ')
  const drift = (100 * driftOf(report)).toFixed(1)
  return [...lines, `memory of the last life by quarter: ${quarters} MB; drift ${drift} %`]
}
