import { spawn } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { COMPILED_CODE, REPOSITORY } from '@aisle/testing'
import { ALL_HAVE_RUN, type TestMessage } from './lib/test-messages-reporter.ts'
import { TestReport } from './lib/test-report.ts'

/**
 * `npm test`: all tests, in two processes side by side, which take about as long as each other; a
 * line per file with its time. `npm test -- tools/tidy.test.ts` runs what is named, patterns too.
 * `--few PATTERN` runs these files a few at a time, in one process after another, beside the rest:
 * all files of a process are open at once, and these hold a lot.
 * `--again` runs failed tests once more, each file alone, if they are few: what waits for a whole
 * cluster or a browser may fail on a starved machine. What passes then is said loudly. A test that
 * needs those before it in its file fails again.
 *
 * With `TEST_TOTALS_FILE` set, the totals and the failures in short are also written there as JSON,
 * for tools/ci.ts: what tests print can never be mistaken for a count.
 */
const GROUPS = [
  ['packages/*/src/**/*.test.ts', 'tools/*.test.ts'],
  ['tools/*/**/*.test.ts', 'bench/**/*.test.ts'],
]

/** Files of a process that hold a lot open. */
const FEW = 6

/** Failed files that are run again: more is no accident. */
const AGAIN_MAX = 5

/** So long a process may take to end when all its tests have run. */
const END_MAX_MS = 20_000

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    few: { type: 'string', multiple: true, default: [] },
    again: { type: 'boolean', default: false },
  },
})
const startMs = performance.now()
const report = new TestReport()
const groups = named.length > 0 ? [named] : values.few.length > 0 ? [] : GROUPS
await Promise.all([...groups.map((files) => runGroup(files, report)), runFew(values.few)])
if (values.again) await runAgain(report.failedFiles())
process.stdout.write(report.summary(performance.now() - startMs))
const totalsFile = process.env['TEST_TOTALS_FILE']
if (totalsFile !== undefined) {
  const outcome = { ...report.totals, failures: report.failuresInShort() }
  writeFileSync(totalsFile, JSON.stringify(outcome))
}
process.exitCode = report.totals.failed === 0 ? 0 : 1

async function runFew(patterns: readonly string[]): Promise<void> {
  const files = globSync(patterns, { cwd: REPOSITORY }).toSorted()
  for (let from = 0; from < files.length; from += FEW) {
    await runGroup(files.slice(from, from + FEW), report)
  }
}

async function runAgain(failed: readonly string[]): Promise<void> {
  if (failed.length === 0 || failed.length > AGAIN_MAX) return
  const files = failed.flatMap((file) => (isTest(file) ? [file] : filesWith(file)))
  console.log(`\nRun again, alone: ${files.join(', ')}`)
  const second = new TestReport()
  for (const file of new Set(files)) await runGroup([file], second, report.failedTests(file))
  if (second.totals.failed === 0 && second.totals.passed > 0) report.passedAgain()
  else console.log(second.summary(performance.now() - startMs))
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts')
}

/** The tests that run the suites of a file. */
function filesWith(file: string): string[] {
  const patterns = [...groups.flat(), ...values.few]
  return globSync(patterns, { cwd: REPOSITORY }).filter((path) =>
    readFileSync(join(REPOSITORY, path), 'utf8').includes(`/${basename(file)}'`),
  )
}

/**
 * Runs test files one after another in one process: most are done sooner than a process has
 * started.
 *
 * @param only tests of these names; none: all
 */
function runGroup(
  patterns: readonly string[],
  to: TestReport,
  only: readonly string[] = [],
): Promise<void> {
  const name = patterns.join(' ')
  const files = globSync(patterns, { cwd: REPOSITORY }).toSorted()
  if (files.length === 0) {
    to.fail(`No test file is called ${name}`)
    return Promise.resolve()
  }
  const reporter = fileURLToPath(new URL('lib/test-messages-reporter.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-isolation=none',
      `--test-reporter=${reporter}`,
      ...only.map((test) => `--test-name-pattern=${RegExp.escape(test)}`),
      ...files,
    ],
    {
      cwd: REPOSITORY,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED_CODE },
    },
  )
  let ended = false
  let failed = 0
  child.on('message', (message: TestMessage | typeof ALL_HAVE_RUN) => {
    if (message === ALL_HAVE_RUN) {
      ended = true
      setTimeout(() => child.kill('SIGKILL'), END_MAX_MS).unref()
    } else {
      if (message.outcome === 'failed') failed++
      process.stdout.write(to.take(name, message))
    }
  })
  return new Promise((resolve) => {
    child.on('error', (error) => to.fail(`Cannot run ${name}: ${error.message}`))
    child.on('close', (code, signal) => {
      process.stdout.write(to.finish(name))
      const how = signal ?? `exit code ${code}`
      if (ended && signal === 'SIGKILL') to.fail(`${name}: a test has left something running`)
      else if (!ended) to.fail(`${name}: ended with ${how} before all tests had run`)
      else if (code !== 0 && failed === 0) to.fail(`${name}: ended with ${how}`)
      resolve()
    })
  })
}
