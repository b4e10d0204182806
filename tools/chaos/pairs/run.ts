import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { seededRandom } from '@aisle/testing'
import { AisleClient } from '@aisle/client'
import { DAMAGES, damageFile } from '../mutate.ts'
import { adminOf } from '../soak-loads.ts'
import { Machine, moment } from './machine.ts'
import { StandingStores } from './standing-stores.ts'

export interface PairOptions {
  readonly runs: number
  readonly seed: number
  readonly onRun?: (report: PairReport, what: string) => void
}

export interface PairReport {
  runs: number
  /** Acknowledged writes, and answered searches. */
  writes: number
  reads: number
  /** Requests that got no success while the disk was bad. */
  refused: number
  /** Runs that require Linux and gcc, and were left out. */
  skipped: number
  readonly problems: string[]
}

interface Scene {
  readonly machine: Machine
  readonly stores: StandingStores
  readonly random: () => number
  readonly report: PairReport
}

type Pair = (scene: Scene) => Promise<readonly string[]>

/** A service that works on the disk for at most this time before a fault. */
const WORK_MS = 1_500
const IO_ERROR = 5
const FULL = 28
/** The data folder is replaced after this many runs. */
const RUNS_PER_MACHINE = 35

/**
 * Two faults at once on one machine, by turns. After each of them every acknowledged write is
 * stored and found, and what was in progress has happened as a whole or not at all.
 */
const PAIRS: Readonly<Record<string, Pair>> = {
  'a full disk, killed': (scene) => killedWithBadDisk(scene, { errno: FULL, percent: 100 }),
  'a failing disk, killed': (scene) => killedWithBadDisk(scene, { errno: IO_ERROR, percent: 20 }),
  'a change of a schema, killed, killed in the start': (scene) =>
    killedTwice(scene, (client) => scene.stores.changeSchema(client)),
  'a swap, killed, killed in the start': (scene) =>
    killedTwice(scene, (client) => scene.stores.swap(client)),
  'a snapshot, killed, killed in the start': (scene) =>
    killedTwice(scene, () => scene.stores.takeSnapshot(scene.machine)),
  'a restore, killed, killed in the start': restoreKilledTwice,
  'damaged index files, killed in the start': killedWithDamage,
}
export const PAIR_COUNT = Object.keys(PAIRS).length

export async function runPairs({ runs, seed, onRun }: PairOptions): Promise<PairReport> {
  const report: PairReport = { runs: 0, writes: 0, reads: 0, refused: 0, skipped: 0, problems: [] }
  const random = seededRandom(seed)
  while (report.runs < runs && report.problems.length === 0) {
    const machine = await Machine.start(random)
    const scene = { machine, stores: await StandingStores.create(machine), random, report }
    const [{ writes, reads }, end] = [report, Math.min(runs, report.runs + RUNS_PER_MACHINE)]
    while (report.runs < end && report.problems.length === 0) {
      const [what, pair] = Object.entries(PAIRS)[report.runs % PAIR_COUNT]!
      report.runs++
      if (what.includes('disk') && !machine.hasSwitch) {
        report.skipped++
        continue
      }
      const problems = await problemsOf(scene, pair)
      report.problems.push(...problems.map((problem) => `${what}: ${problem}`))
      report.writes = writes + machine.writes
      report.reads = reads + machine.reads
      onRun?.(report, what)
    }
    await machine.end(report.problems.length > 0)
    if (report.problems.length > 0) report.problems.push(`data folder kept: ${machine.dataDir}`)
  }
  return report
}

/** @returns a line for display */
export function pairLine(report: PairReport): string {
  const { runs, writes, reads, refused, skipped, problems } = report
  return (
    `${runs} pairs of faults, ${skipped} left out: ${writes} writes acknowledged, ${reads} searches, ` +
    `${refused} requests refused by a bad disk, ${problems.length} problems`
  )
}

async function problemsOf(scene: Scene, pair: Pair): Promise<readonly string[]> {
  try {
    await scene.machine.written()
    const problems = await pair(scene)
    return [
      ...problems,
      ...(await scene.machine.check()),
      ...(await scene.stores.check(scene.machine)),
    ]
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
  }
}

/** The disk fails, the process is killed meanwhile, and perhaps started while it still fails. */
async function killedWithBadDisk(
  { machine, random, report }: Scene,
  state: { readonly errno: number; readonly percent: number },
): Promise<string[]> {
  const before = machine.failures
  machine.disk(state)
  await moment(random, WORK_MS)
  report.refused += machine.failures - before
  await machine.kill()
  if (random() < 0.5) await machine.cutStart(random)
  machine.disk('good')
  await machine.start()
  return []
}

/** Killed while something is in progress, and again in the start that repairs it. */
async function killedTwice(
  { machine, random }: Scene,
  work: (client: ReturnType<Machine['client']>) => Promise<void>,
): Promise<string[]> {
  using client = machine.client()
  const done = work(client)
  await moment(random, WORK_MS)
  await machine.kill()
  await done
  await machine.cutStart(random)
  await machine.start()
  return []
}

/**
 * `aisle restore` is killed: the folder is refused or whole. The service on the next one is killed
 * in its first start.
 */
async function restoreKilledTwice({ machine, random }: Scene): Promise<string[]> {
  const { folder, documents } = await adminOf(machine.server).createSnapshot()
  await machine.kill()
  const problems: string[] = []
  const isWhole = await machine.restore(folder, Math.round(random() * WORK_MS))
  const isRefused = await machine.startRestored().then(
    (server) => server.stop({ keepData: true }).then(() => false),
    () => true,
  )
  if (isWhole && isRefused) problems.push('a restored folder is refused')
  await rm(machine.restored, { recursive: true, force: true })
  await machine.restore(folder)
  await machine.cutStart(random, machine.restored)
  const server = await machine.startRestored()
  const { url, adminToken } = server
  const { stores } = await new AisleClient({ url, adminToken }).stores()
  const restored = stores.reduce((sum, store) => sum + store.documents, 0)
  if (restored !== documents) problems.push(`${restored} documents restored, not ${documents}`)
  await server.stop({ keepData: true })
  await rm(machine.restored, { recursive: true, force: true })
  await machine.start()
  return problems
}

/** Some index files are damaged; the process is killed while it makes them again. */
async function killedWithDamage({ machine, random }: Scene): Promise<string[]> {
  await machine.stop()
  const folder = join(machine.dataDir, 'index')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  )
  for (const file of files) {
    if (random() > 0.3) continue
    const damage = DAMAGES[Math.floor(random() * DAMAGES.length)]!
    damageFile(join(file.parentPath, file.name), damage, random)
  }
  await machine.cutStart(random)
  if (random() < 0.5) await machine.cutStart(random)
  await machine.start()
  return []
}
