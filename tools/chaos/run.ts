import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AisleClient } from '../lib/aisle-client.ts'
import type { StoreKeys } from '../lib/aisle-client.ts'
import { ServerProcess } from '../lib/server-process.ts'
import { CHAOS_FIELDS } from './document.ts'
import { mulberry32 } from './random.ts'
import { StoreClient } from './store-client.ts'
import { StoreLives } from './store-lives.ts'
import { verifyStore } from './verify.ts'
import { bulkWriter, clearingWriter, singleWriter } from './writers.ts'
import type { ChaosWriter } from './writers.ts'

export interface ChaosOptions {
  readonly rounds: number
  readonly seed: number
  readonly threads?: number
  /** The moment of the kill, after the writers have started. */
  readonly killAfterMs: readonly [number, number]
  readonly onRound?: (round: number, report: ChaosReport) => void
}

export interface ChaosReport {
  rounds: number
  /** Calls that were answered. */
  acknowledged: number
  /** Ids that were read back and searched for, over all rounds. */
  verified: number
  /** Longest time from the start of the process to the first 200 of `/health`. */
  startMsMax: number
  readonly problems: string[]
}

/** After so many rounds the data folder is a fresh one. */
const ROUNDS_PER_FOLDER = 25
/** Every so many rounds the process ends as it should: only then small stores have index files. */
const ROUNDS_PER_CLEAN_STOP = 3
const FIRST_ANSWER_MAX_MS = 10_000

/** Writes from all sides, kills the process at a random moment, starts it again and checks: repeatedly. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const report: ChaosReport = {
    rounds: 0,
    acknowledged: 0,
    verified: 0,
    startMsMax: 0,
    problems: [],
  }
  const random = mulberry32(options.seed)
  while (report.rounds < options.rounds && report.problems.length === 0) {
    const dataDir = mkdtempSync(join(tmpdir(), 'aisle-chaos-'))
    const rounds = Math.min(ROUNDS_PER_FOLDER, options.rounds - report.rounds)
    try {
      await runFolder(dataDir, rounds, options, random, report)
    } finally {
      // What went wrong is kept for whoever looks into it.
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
      environment: { AISLE_LOG_LEVEL: 'warn' },
    })
    report.startMsMax = Math.max(report.startMsMax, server.startMs)
    return server
  }
  let server = await start()
  const keys = await makeStores(server)
  const writers: ChaosWriter[] = [
    singleWriter('single-a', 'shared', 40),
    singleWriter('single-b', 'shared', 10),
    bulkWriter('bulk', 'shared', 400, false),
    bulkWriter('stream', 'shared', 400, true),
    clearingWriter('clear', 'own', 300),
  ]
  const lives = new StoreLives()
  for (let round = 0; round < rounds; round++) {
    const [least, most] = killAfterMs
    const clients = writers.map((writer) => new StoreClient(server.url, keys.get(writer.storeId)!))
    const admin = new AisleClient(server.url, { adminToken: server.adminToken })
    const running = writers.map((writer, i) => writer.run(clients[i]!, random))
    running.push(lives.run(admin, random))
    await sleep(least + random() * (most - least))
    await firstAnswer(writers)
    process.kill(server.pid, 'SIGKILL')
    for (const problems of await Promise.all(running)) report.problems.push(...problems)
    for (const client of [...clients, admin]) client.close()
    await server.stop({ keepData: true })

    server = await start()
    if (round % ROUNDS_PER_CLEAN_STOP === 1) {
      await server.stop({ keepData: true })
      server = await start()
    }
    for (const [storeId, storeKeys] of keys) {
      const client = new StoreClient(server.url, storeKeys)
      const own = writers.filter((writer) => writer.storeId === storeId)
      report.problems.push(...(await verifyStore(client, own, random)))
      report.verified += own.reduce((sum, writer) => sum + writer.journal.known.size, 0)
      client.close()
    }
    const reader = new AisleClient(server.url)
    report.problems.push(...(await lives.verify(reader)))
    reader.close()
    report.rounds++
    report.acknowledged += writers.reduce((sum, writer) => sum + writer.journal.ackCount, 0)
    report.acknowledged += lives.ackCount
    for (const { journal } of writers) journal.ackCount = 0
    lives.ackCount = 0
    onRound?.(report.rounds, report)
    if (report.problems.length > 0) break
  }
  await server.stop({ keepData: true })
}

/** On a busy machine the process lives until something was answered: else nothing could be lost. */
async function firstAnswer(writers: readonly ChaosWriter[]): Promise<void> {
  const endMs = performance.now() + FIRST_ANSWER_MAX_MS
  const isAnswered = (): boolean => writers.some(({ journal }) => journal.ackCount > 0)
  while (performance.now() < endMs && !isAnswered()) await sleep(1)
}

async function makeStores(server: ServerProcess): Promise<Map<string, StoreKeys>> {
  const client = new AisleClient(server.url, { adminToken: server.adminToken })
  const keys = new Map<string, StoreKeys>()
  for (const id of ['shared', 'own']) {
    const store = await client.createStore({ name: id, id })
    await client.setSchema(store, { fields: CHAOS_FIELDS })
    keys.set(id, store)
  }
  client.close()
  return keys
}
