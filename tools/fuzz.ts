import { parseArgs } from 'node:util'
import { runFilterFuzz } from './fuzz/filters.ts'
import { runRequestFuzz } from './fuzz/requests.ts'
import { useBundledService } from './lib/bundle-service.ts'

/**
 * `npm run fuzz -- filters --runs 10000000`: filter expressions, compared with the naive evaluator.
 *
 * `npm run fuzz -- requests --runs 1000000`: valid and invalid requests to all operations of
 * docs/openapi.json, sent to a separate service: no 5xx, and only declared answers.
 *
 * `--seed` with the printed seed repeats a run.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
const runs = Number(values.runs)
const seed = Number(values.seed)
const startMs = performance.now()
const campaigns: Readonly<Record<string, () => Promise<readonly string[]>>> = { filters, requests }
const campaign = campaigns[positionals[0] ?? '']
if (campaign === undefined || !(runs > 0)) {
  console.error(`Usage: npm run fuzz -- ${Object.keys(campaigns).join('|')} --runs N [--seed N]`)
  process.exit(2)
}
console.log(`${runs} ${positionals[0]}, seed ${seed}`)
const problems = await campaign()
for (const problem of problems) console.log(`PROBLEM ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1

function seconds(): string {
  return ((performance.now() - startMs) / 1_000).toFixed(0)
}

function filters(): Promise<readonly string[]> {
  const report = runFilterFuzz({
    runs,
    seed,
    onProgress: (now) => {
      if (now.runs % 1_000_000 === 0) console.log(`${now.runs} expressions in ${seconds()} s`)
    },
  })
  console.log(
    `${report.runs} expressions in ${seconds()} s: ${report.parsed} read, ${report.partial} of them keep some documents, ` +
      `${report.problems.length} problems`,
  )
  return Promise.resolve(report.problems)
}

async function requests(): Promise<readonly string[]> {
  await useBundledService()
  const report = await runRequestFuzz({
    runs,
    seed,
    onProgress: (now) => {
      if (now.runs % 50_000 === 0) console.log(`${now.runs} requests in ${seconds()} s`)
    },
  })
  const classes = [...report.classes].map(([name, count]) => `${name}: ${count}`).toSorted()
  console.log(
    `${report.runs} requests in ${seconds()} s: ${classes.join(', ')}; ` +
      `${report.succeeded.size} operations succeeded, ${report.problems.length} problems`,
  )
  return report.problems
}
