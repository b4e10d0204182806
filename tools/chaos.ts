import { parseArgs } from 'node:util'
import { attackLine, runNeighbours } from './chaos/neighbours/run.ts'
import { growthProblems, rewriteLines, runRewrites } from './chaos/rewrites.ts'
import { canWatchDisks, runDiskFaults, runPowerCuts, type DiskReport } from './chaos/disk.ts'
import { FAULTS, type Fault } from './chaos/cluster-faults.ts'
import { clusterChaosLines, runClusterChaos } from './chaos/cluster.ts'
import { runDiskPairs } from './chaos/disk-pairs.ts'
import { runEventChaos } from './chaos/events.ts'
import { runMutations } from './chaos/mutations.ts'
import { pairLine, runPairs } from './chaos/pairs/run.ts'
import { runRotations } from './chaos/rotations.ts'
import { runChaos } from './chaos/run.ts'
import { runSnapshots } from './chaos/snapshots.ts'
import { runUpgrade } from './chaos/upgrade.ts'
import { OlderVersion } from './chaos/older-version.ts'
import { runSoak, soakLines, soakProblems } from './chaos/soak.ts'
import { useBundledService } from './lib/bundle-service.ts'
import { RELEASES, type Release } from './cluster/distribution.ts'
import { oneOf } from './lib/option-values.ts'

const HELP = `Runs one campaign of faults, and ends with 1 if it found a problem.

  npm run chaos -- --rounds 25
  npm run chaos -- --cluster --kills 10 --minutes 30

CONTRIBUTING.md and docs/promises.md say what each campaign does and checks. --seed with the printed
seed repeats one.

Options: `

/** One campaign per call. */
const OPTIONS = {
  rounds: { type: 'string', default: '25' },
  rotations: { type: 'string' },
  rewrites: { type: 'string' },
  snapshots: { type: 'string' },
  minutes: { type: 'string' },
  steady: { type: 'boolean', default: false },
  documents: { type: 'string', default: '100000' },
  events: { type: 'string' },
  mutations: { type: 'string' },
  'power-cuts': { type: 'string' },
  'io-faults': { type: 'string' },
  'two-faults': { type: 'string' },
  cluster: { type: 'boolean', default: false },
  release: { type: 'string', default: '2.19' },
  'upgrade-from': { type: 'string' },
  kills: { type: 'string' },
  freezes: { type: 'string' },
  partitions: { type: 'string' },
  'api-kills': { type: 'string' },
  restarts: { type: 'string' },
  'full-disks': { type: 'string' },
  'partition-restarts': { type: 'string' },
  'frozen-api-kills': { type: 'string' },
  'full-api-kills': { type: 'string' },
  stores: { type: 'string', default: '40' },
  neighbours: { type: 'boolean', default: false },
  seconds: { type: 'string', default: '5' },
  only: { type: 'string' },
  once: { type: 'boolean', default: false },
  seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  threads: { type: 'string', default: '2' },
  help: { type: 'boolean', default: false },
} as const
const { values } = readOptions()
const seed = Number(values.seed)
const threads = Number(values.threads)
if (values.help) {
  console.log(
    HELP +
      Object.keys(OPTIONS)
        .map((name) => `--${name}`)
        .join(' '),
  )
  process.exit()
}
// Child processes shut down gracefully, however this process ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
await useBundledService()
const problems = await chosen()
for (const problem of problems) console.log(`PROBLEM ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS })
  } catch (error) {
    console.error(`${(error as Error).message}. See npm run chaos -- --help`)
    process.exit(2)
  }
}

function chosen(): Promise<readonly string[]> {
  if (values['upgrade-from'] !== undefined) return upgrade(values['upgrade-from'])
  if (values.cluster) return clusterFaults()
  if (values.neighbours) return neighbours()
  if (values.rotations !== undefined) return rotations()
  if (values.events !== undefined) return events()
  if (values['power-cuts'] !== undefined)
    return disk('power cuts', values['power-cuts'], runPowerCuts)
  if (values['io-faults'] !== undefined) return disk('faults', values['io-faults'], runDiskFaults)
  if (values['two-faults'] !== undefined) return twoFaults()
  if (values.mutations !== undefined) return mutations()
  if (values.rewrites !== undefined) return rewrites()
  if (values.snapshots !== undefined) return snapshots()
  if (values.minutes !== undefined) return soak()
  return kills()
}

async function clusterFaults(): Promise<readonly string[]> {
  console.log(`A cluster, seed ${seed}`)
  const { kills: killed, freezes, partitions, restarts } = values
  const [apiKills, fullDisks] = [values['api-kills'], values['full-disks']]
  const pairs = {
    partitionRestarts: values['partition-restarts'],
    frozenApiKills: values['frozen-api-kills'],
    fullApiKills: values['full-api-kills'],
  }
  const asked = { kills: killed, freezes, partitions, apiKills, restarts, fullDisks, ...pairs }
  const report = await runClusterChaos({
    // The named runs, or the whole campaign.
    faults: Object.values(asked).every((count) => count === undefined)
      ? FAULTS
      : (Object.fromEntries(
          Object.entries(asked).map(([fault, count]) => [fault, Number(count ?? 0)]),
        ) as Record<Fault, number>),
    seed,
    release: releaseOf(),
    ...(values.minutes === undefined ? {} : { limitMs: Number(values.minutes) * 60_000 }),
    onFault: (line) => console.log(line),
  })
  for (const line of clusterChaosLines(report)) console.log(line)
  return report.problems
}

async function upgrade(commit: string): Promise<readonly string[]> {
  console.log(`An upgrade of a cluster from ${commit}, seed ${seed}`)
  using older = OlderVersion.checkOut(commit)
  const report = await runUpgrade({
    older: older.entry,
    seed,
    release: releaseOf(),
    documents: Number(values.documents),
    kills: Number(values.kills ?? '10'),
    onStep: (line) => console.log(line),
  })
  const { writes, reads, checked, rewritten, problems: found } = report
  console.log(
    `${writes} writes acknowledged, ${reads} reads, ${checked} searches of a catalog at rest, ` +
      `${rewritten} documents rewritten meanwhile, ${found.length} problems`,
  )
  return found
}

function releaseOf(): Release {
  return oneOf('release', values.release, Object.keys(RELEASES) as Release[])
}

async function neighbours(): Promise<readonly string[]> {
  console.log(
    'ms of the neighbour (p50, p99, max) alone > beside: searches | writes | longest turns',
  )
  return runNeighbours({
    seconds: Number(values.seconds),
    threads,
    documents: Number(values.documents),
    only: values.only?.split(','),
    once: values.once,
    onAttack: (report) => console.log(attackLine(report)),
  })
}

async function snapshots(): Promise<readonly string[]> {
  const report = await runSnapshots({
    snapshots: Number(values.snapshots),
    threads,
    onSnapshot: ({ snapshots: taken, documents }) =>
      console.log(`${taken} snapshots, ${documents} documents restored`),
  })
  return report.problems
}

async function soak(): Promise<readonly string[]> {
  console.log(`${values.minutes} minutes, seed ${seed}`)
  const report = await runSoak({
    seconds: Number(values.minutes) * 60,
    seed,
    threads,
    lifeSeconds: [3, 20],
    steady: values.steady,
    // Before the check, which may fail.
    onLastLife: (lines) => console.log(lines.join('\n')),
    onLife: ({ kills: count, calls }) =>
      console.log(`kill ${count}: ${[...calls].map(([name, n]) => `${n} ${name}`).join(', ')}`),
  })
  for (const line of soakLines(report)) console.log(line)
  return soakProblems(report)
}

async function kills(): Promise<readonly string[]> {
  const rounds = Number(values.rounds)
  console.log(`${rounds} rounds, seed ${seed}`)
  const report = await runChaos({
    rounds,
    seed,
    threads,
    killAfterAnswers: [1, 1_000],
    onRound: (round, { acknowledged, verified }) => {
      if (round % 10 === 0 || round === rounds) {
        console.log(`round ${round}: ${acknowledged} calls acknowledged, ${verified} ids verified`)
      }
    },
  })
  console.log(
    `${report.rounds} rounds, ${report.cutStarts} kills during a start: ${report.acknowledged} calls acknowledged, ${report.verified} ids verified, ` +
      `slowest start ${Math.round(report.startMsMax)} ms, ${report.problems.length} problems`,
  )
  return report.problems
}

async function rotations(): Promise<readonly string[]> {
  console.log(`${values.rotations} rotations, seed ${seed}`)
  const report = await runRotations({
    rotations: Number(values.rotations),
    stores: Number(values.stores),
    seed,
    threads,
    onProgress: ({ rotations: done, probes }) => console.log(`${done} rotations, ${probes} probes`),
  })
  console.log(
    `${report.rotations} rotations, ${report.revocations} revocations: ${report.probes} probes, ${report.decided} of them decided, ` +
      `${report.falseAccepts} false accepts, ${report.falseRejects} false rejects`,
  )
  return report.problems
}

async function rewrites(): Promise<readonly string[]> {
  const documents = Number(values.documents)
  const report = await runRewrites({
    rewrites: Number(values.rewrites),
    documents,
    threads,
    onRewrite: (rewrite, disk) => {
      const mega = (bytes: number): string => (bytes / 1e6).toFixed(1)
      console.log(
        `rewrite ${rewrite}: ${mega(disk.documents)} MB documents, ${mega(disk.index)} MB index`,
      )
    },
  })
  for (const line of rewriteLines(report)) console.log(line)
  return growthProblems(report)
}

async function events(): Promise<readonly string[]> {
  console.log(`${values.events} events, seed ${seed}`)
  let seen = 0
  const report = await runEventChaos({
    events: Math.ceil(Number(values.events) / 5) * 5,
    seed,
    threads,
    killAfterEvents: [5_000, 25_000],
    onProgress: ({ kills: killCount, sent, acknowledged, steps }) => {
      if (steps.length === 0)
        console.log(`${killCount} kills: ${sent} sent, ${acknowledged} known to be kept`)
      for (const { name, seconds } of steps.slice(seen))
        console.log(`${name}: ${seconds.toFixed(1)} s`)
      seen = steps.length
    },
  })
  console.log(
    `${report.acknowledged} events acknowledged, ${report.sent} sent in ${report.seconds.toFixed(0)} s with ${report.kills} kills, ` +
      `slowest start ${Math.round(report.startMsMax)} ms, ${report.problems.length} problems`,
  )
  return report.problems
}

async function mutations(): Promise<readonly string[]> {
  console.log(`${values.mutations} mutations, seed ${seed}`)
  const report = await runMutations({
    mutations: Number(values.mutations),
    seed,
    onProgress: ({ mutations: done }) => {
      if (done % 1_000 === 0) console.log(`${done} files damaged`)
    },
  })
  for (const [kind, outcomes] of report.outcomes) {
    const counts = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`)
    console.log(`${kind}: ${counts.join(', ')}`)
  }
  console.log(`${report.mutations} files damaged, ${report.problems.length} problems`)
  return report.problems
}

/** On a whole service; and ten times as often on the parts that write. */
async function twoFaults(): Promise<readonly string[]> {
  const runs = Number(values['two-faults'])
  console.log(`${runs} pairs of faults, seed ${seed}`)
  const report = await runPairs({
    runs,
    seed,
    onRun: (now, what) => console.log(`${now.runs} ${what}: ${now.writes} writes so far`),
  })
  console.log(pairLine(report))
  if (report.problems.length > 0 || !canWatchDisks()) return report.problems
  const onDisk = await runDiskPairs({ runs: runs * 10, seed })
  console.log(
    `${onDisk.runs} failing disks with a kill or a power cut, ${onDisk.answers} answers looked for, ` +
      `${onDisk.problems.length} problems`,
  )
  return onDisk.problems
}

async function disk(
  what: string,
  count: string,
  run: typeof runPowerCuts,
): Promise<readonly string[]> {
  if (!canWatchDisks()) return ['This requires Linux and gcc']
  console.log(`${count} ${what}, seed ${seed}`)
  const startMs = performance.now()
  const line = ({ runs, answers, restarts, aborts, problems: { length } }: DiskReport): string =>
    `${runs} ${what} in ${Math.round((performance.now() - startMs) / 1_000)} s, ${answers} answers looked for, ` +
    `${restarts} processes ended themselves, ${aborts} were aborted, ${length} problems`
  const report = await run({
    runs: Number(count),
    seed,
    onProgress: (now) => {
      if (now.runs % 500 === 499) console.log(line(now))
    },
  })
  console.log(line(report))
  return report.problems
}
