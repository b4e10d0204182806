import { parseArgs } from 'node:util'
import { runChaos } from './chaos/run.ts'

/**
 * `npm run chaos -- --rounds 1000`: kill -9 while single, bulk, delete, clear and replace calls run
 * over HTTP; after each restart every acknowledged write must be there, whole, and found.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '25' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    threads: { type: 'string', default: '2' },
  },
})
const rounds = Number(values.rounds)
const seed = Number(values.seed)
console.log(`${rounds} rounds, seed ${seed}`)
const report = await runChaos({
  rounds,
  seed,
  threads: Number(values.threads),
  killAfterMs: [20, 600],
  onRound: (round, { acknowledged, verified }) => {
    if (round % 10 === 0 || round === rounds) {
      console.log(`round ${round}: ${acknowledged} calls acknowledged, ${verified} ids verified`)
    }
  },
})
for (const problem of report.problems) console.log(`PROBLEM ${problem}`)
console.log(
  `${report.rounds} rounds: ${report.acknowledged} calls acknowledged, ${report.verified} ids verified, ` +
    `slowest start ${Math.round(report.startMsMax)} ms, ${report.problems.length} problems`,
)
process.exitCode = report.problems.length === 0 ? 0 : 1
