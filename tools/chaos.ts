import { parseArgs } from 'node:util'
import { runRotations } from './chaos/rotations.ts'
import { runChaos } from './chaos/run.ts'

/**
 * `npm run chaos -- --rounds 1000`: kill -9 while single, bulk, delete, clear and replace calls run
 * over HTTP; after each restart every acknowledged write must be there, whole, and found.
 *
 * `npm run chaos -- --rotations 1000`: keys are rotated and revoked while all of them, old and new, are used;
 * none may be taken after its end, none refused before.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '25' },
    rotations: { type: 'string' },
    stores: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    threads: { type: 'string', default: '2' },
  },
})
const seed = Number(values.seed)
const threads = Number(values.threads)
const problems = values.rotations === undefined ? await kills() : await rotations()
for (const problem of problems) console.log(`PROBLEM ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1

async function kills(): Promise<readonly string[]> {
  const rounds = Number(values.rounds)
  console.log(`${rounds} rounds, seed ${seed}`)
  const report = await runChaos({
    rounds,
    seed,
    threads,
    killAfterMs: [20, 600],
    onRound: (round, { acknowledged, verified }) => {
      if (round % 10 === 0 || round === rounds) {
        console.log(`round ${round}: ${acknowledged} calls acknowledged, ${verified} ids verified`)
      }
    },
  })
  console.log(
    `${report.rounds} rounds: ${report.acknowledged} calls acknowledged, ${report.verified} ids verified, ` +
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
