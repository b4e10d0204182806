import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestTotals } from './lib/test-report.ts'

/**
 * Everything that must hold before a change lands: the tests, those of a cluster where there is
 * Java, then types, lint, format and unused code. All of it runs and reports even when a part
 * fails; the last line counts tests and checks together.
 *
 * `--before name=ok|failed` adds a check that ran earlier (.ci/run: the installation).
 */
const checks: { name: string; command: string[]; limitMinutes: number }[] = [
  { name: 'cluster', command: ['npm', 'run', '--silent', 'test:cluster'], limitMinutes: 15 },
  { name: 'types', command: ['npm', 'run', '--silent', 'types'], limitMinutes: 3 },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'], limitMinutes: 3 },
  { name: 'format', command: ['npm', 'run', '--silent', 'format:check'], limitMinutes: 1 },
  { name: 'unused', command: ['npm', 'run', '--silent', 'unused'], limitMinutes: 1 },
]
const TEST_LIMIT_MINUTES = 24

const outcomes: { name: string; ok: boolean }[] = []
for (const argument of process.argv.slice(2)) {
  const before = /^--before=([\w ]+)=(ok|failed)$/.exec(argument)
  if (before === null) throw new Error(`Unknown argument "${argument}"`)
  outcomes.push({ name: before[1] ?? '', ok: before[2] === 'ok' })
}

const totals = await runTests()
for (const check of checks) {
  outcomes.push({ name: check.name, ok: await run(check.name, check.command, check.limitMinutes) })
}

console.log('')
for (const { name, ok } of outcomes) console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}`)
const failedChecks = outcomes.filter((outcome) => !outcome.ok).length
const passed = totals.passed + outcomes.length - failedChecks
const failed = totals.failed + failedChecks
if (totals.skipped > 0) {
  console.log(`${totals.skipped} tests skipped (listed above); those of a cluster: see "cluster"`)
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** The README's test command, with its totals collected through a file. */
async function runTests(): Promise<TestTotals> {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-ci-'))
  const totalsFile = join(folder, 'totals.json')
  const ok = await run('tests', ['npm', 'test'], TEST_LIMIT_MINUTES, {
    TEST_TOTALS_FILE: totalsFile,
  })
  let counted: TestTotals = { passed: 0, failed: 0, skipped: 0 }
  try {
    counted = JSON.parse(readFileSync(totalsFile, 'utf8')) as TestTotals
  } catch {
    console.log('The test run ended without totals: it crashed or ran out of time.')
  }
  rmSync(folder, { recursive: true, force: true })
  // A run that failed without a failed test (crash, time limit, no tests found) is a failure as
  // well.
  if (counted.failed === 0 && (!ok || counted.passed === 0))
    outcomes.push({ name: 'tests', ok: false })
  return counted
}

/** Runs a command with its output passed on, in a process group that can be ended as a whole. */
function run(
  name: string,
  command: string[],
  limitMinutes: number,
  environment: Record<string, string> = {},
): Promise<boolean> {
  console.log(`\n== ${name}: ${command.join(' ')}`)
  const startMs = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command[0] ?? '', command.slice(1), {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...environment },
      detached: true,
    })
    const limit = setTimeout(() => {
      console.log(`== ${name}: stopped after ${limitMinutes} minutes`)
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, limitMinutes * 60_000)
    const finish = (ok: boolean, note: string): void => {
      clearTimeout(limit)
      const seconds = ((performance.now() - startMs) / 1_000).toFixed(1)
      console.log(`== ${name}: ${ok ? 'ok' : `FAILED (${note})`} after ${seconds} s`)
      resolve(ok)
    }
    child.on('error', (error) => finish(false, error.message))
    child.on('close', (code, signal) => finish(code === 0, signal ?? `exit code ${code}`))
  })
}
