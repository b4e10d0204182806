import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QUARANTINE } from './test-run/quarantine.ts'
import type { TestTotals } from './test-run/test-report.ts'

/**
 * Everything that must pass before a change lands: the tests, those of a cluster if there is Java,
 * those of sources on installed databases, then types, lint, format and unused code. All checks run
 * and report even if one fails; the last line counts tests and checks together.
 *
 * `--before name=ok|failed` adds a check that ran earlier (.ci/run: the installation).
 */
const checks: readonly Check[] = [
  {
    name: 'cluster',
    command: [process.execPath, 'tools/test-cluster.ts'],
    limitMinutes: 35,
    isTests: true,
  },
  {
    name: 'sources',
    command: [process.execPath, 'tools/test-sources.ts'],
    limitMinutes: 15,
    isTests: true,
  },
  { name: 'types', command: ['npm', 'run', '--silent', 'types'], limitMinutes: 5 },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'], limitMinutes: 5 },
  { name: 'format', command: ['npm', 'run', '--silent', 'format:check'], limitMinutes: 3 },
  { name: 'unused', command: ['npm', 'run', '--silent', 'unused'], limitMinutes: 3 },
]
const tests: Check = {
  name: 'tests',
  command: [process.execPath, 'tools/test.ts'],
  limitMinutes: 35,
  isTests: true,
}

interface Check {
  readonly name: string
  readonly command: readonly string[]
  /** Several times the duration on a slow machine: it ends only what hangs. */
  readonly limitMinutes: number
  /** Whether it writes totals, like tools/test.ts. */
  readonly isTests?: boolean
}

interface Outcome {
  readonly name: string
  readonly ok: boolean
  /** The outcome, if it did not pass. */
  readonly note: string
  readonly totals: TestTotals
  /** Repeated at the end: many viewers show only the last lines of a run. */
  readonly failures: readonly string[]
}

const NO_TESTS: TestTotals = { passed: 0, failed: 0, skipped: 0, quarantined: 0 }
/** Number of output lines to repeat for a failed check without tests. */
const LAST_LINES = 10
/** Grace for the output of a check after its end. */
const OUTPUT_MAX_MS = 5_000
/** Grace for a stopped check to report its results. */
const STOP_MAX_MS = 20_000

const outcomes: Outcome[] = []
for (const argument of process.argv.slice(2)) {
  const before = /^--before=([\w ]+)=(ok|failed)$/.exec(argument)
  if (before === null) throw new Error(`Unknown argument "${argument}"`)
  const name = before[1] ?? ''
  outcomes.push({ name, ok: before[2] === 'ok', note: '', totals: NO_TESTS, failures: [] })
}
for (const { file, since, issue } of QUARANTINE) {
  console.log(`== in quarantine since ${since}: ${file}: ${issue}`)
}
for (const check of [tests, ...checks]) outcomes.push(await outcomeOf(check))

for (const { name, failures } of outcomes) {
  if (failures.length > 0) console.log(`\n== failed in ${name}:\n${failures.join('\n')}`)
}
console.log('')
for (const { name, ok, note } of outcomes) {
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}${ok || note === '' ? '' : ` (${note})`}`)
}
const sum = (count: (outcome: Outcome) => number): number =>
  outcomes.reduce((total, outcome) => total + count(outcome), 0)
const skipped = outcomes.find(({ name }) => name === tests.name)?.totals.skipped ?? 0
if (skipped > 0) {
  console.log(`${skipped} tests skipped (listed above); those of a cluster: see "cluster"`)
}
const quarantined = sum(({ totals }) => totals.quarantined)
if (quarantined > 0) console.log(`${quarantined} tests failed in quarantine (listed above)`)
const failed = sum(({ ok, totals }) => (ok ? 0 : Math.max(1, totals.failed)))
console.log(`${sum(({ ok, totals }) => totals.passed + (ok ? 1 : 0))} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** Runs a check; the result of tests comes from a file, because their output contains no counts. */
async function outcomeOf({ name, command, limitMinutes, isTests }: Check): Promise<Outcome> {
  if (isTests !== true) {
    const { ok, note, lastLines } = await run(name, command, limitMinutes)
    return { name, ok, note, totals: NO_TESTS, failures: ok ? [] : lastLines }
  }
  const folder = mkdtempSync(join(tmpdir(), 'aisle-ci-'))
  const file = join(folder, 'totals.json')
  const environment = { TEST_TOTALS_FILE: file }
  const { ok, note, lastLines } = await run(name, command, limitMinutes, environment)
  const outcome = { name, ok, note, totals: NO_TESTS, failures: ok ? [] : lastLines }
  try {
    const { failures, ...totals } = JSON.parse(readFileSync(file, 'utf8')) as TestTotals & {
      failures: string[]
    }
    return { ...outcome, totals, ...(failures.length > 0 ? { failures } : {}) }
  } catch {
    if (!ok) console.log('The test run ended without totals.')
    return outcome
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a command with its output passed on, in a process group that can be killed as a whole. */
function run(
  name: string,
  command: readonly string[],
  limitMinutes: number,
  environment: Record<string, string> = {},
): Promise<{ ok: boolean; note: string; lastLines: string[] }> {
  console.log(`\n== ${name}: ${command.join(' ')}`)
  const startMs = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command[0] ?? '', command.slice(1), {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
      detached: true,
    })
    let end = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      process.stdout.write(text)
      end = (end + text).slice(-4_000)
    })
    let isStopped = false
    const limit = setTimeout(() => {
      isStopped = true
      endGroup(child.pid, 'SIGTERM')
      setTimeout(endGroup, STOP_MAX_MS, child.pid, 'SIGKILL').unref()
    }, limitMinutes * 60_000)
    let finished = false
    const finish = (ok: boolean, how: string): void => {
      if (finished) return
      const note = isStopped ? `stopped: it took more than ${limitMinutes} minutes` : how
      finished = true
      clearTimeout(limit)
      child.stdout.destroy()
      const seconds = ((performance.now() - startMs) / 1_000).toFixed(1)
      console.log(`== ${name}: ${ok ? 'ok' : `FAILED (${note})`} after ${seconds} s`)
      const lastLines = [...end.trimEnd().split('\n').slice(-LAST_LINES), note]
      resolve({ ok, note, lastLines })
    }
    child.on('error', (error) => finish(false, error.message))
    const ended = (code: number | null, signal: string | null): void =>
      finish(code === 0 && !isStopped, signal ?? `exit code ${code}`)
    child.on('close', ended)
    // Processes left by a check keep its output open: they must not delay the other checks.
    child.on('exit', (code, signal) => setTimeout(ended, OUTPUT_MAX_MS, code, signal))
  })
}

function endGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (leader !== undefined) process.kill(-leader, signal)
  } catch {
    // All processes have ended.
  }
}
