import type { TestMessage } from './test-messages-reporter.ts'

export interface TestTotals {
  passed: number
  failed: number
  skipped: number
}

/**
 * What is shown in the end, of tests and of files: the slowest of those that take at least so long.
 */
const SLOWEST_SHOWN = 5
const SLOW_MS = 2_000
/** Of a failure that is told once more at the end of all checks. */
const FAILURE_SHORT_CHARS = 400

/**
 * What a test run shows: a line for each file when all of it has run, with its time; in the end
 * every skipped test with its reason, every failure in full, what was slow, and the totals. Several
 * processes may run tests at once; each goes through its files one after another.
 */
export class TestReport {
  readonly totals: TestTotals = { passed: 0, failed: 0, skipped: 0 }
  /** By process: the file that it is at. */
  readonly #open = new Map<string, FileTimes>()
  readonly #files: FileTimes[] = []
  readonly #tests: { readonly name: string; readonly durationMs: number }[] = []
  readonly #failures: Failure[] = []
  /** What failed first, and passed when it ran again. */
  readonly #unsteady: string[] = []
  readonly #skipped: string[] = []

  /** @returns the line of the file that is finished with this, or nothing */
  take(group: string, message: TestMessage): string {
    const { outcome, name, file, line, durationMs, isOutermost, reason } = message
    let finished = ''
    let open = this.#open.get(group)
    if (open?.file !== file) {
      finished = this.finish(group)
      open = { file, durationMs: 0, passed: 0, failed: 0, skipped: 0 }
      this.#open.set(group, open)
    }
    if (isOutermost) open.durationMs += durationMs
    if (outcome === 'suite') return finished
    open[outcome]++
    this.totals[outcome]++
    const place = line === undefined ? file : `${file}:${line}`
    if (outcome === 'passed') this.#tests.push({ name, durationMs })
    if (outcome === 'skipped') this.#skipped.push(`${place} ${name}: ${reason}`)
    if (outcome === 'failed') {
      const text = `✖ ${name} (${place})\n${(reason ?? '').replaceAll(/^/gm, '  ')}`
      this.#failures.push({ file, name, text })
    }
    return finished
  }

  /** @returns the line of the last file of a process */
  finish(group: string): string {
    const open = this.#open.get(group)
    if (open === undefined) return ''
    this.#open.delete(group)
    this.#files.push(open)
    const { failed, skipped } = open
    const marks = `${failed > 0 ? `  ✖ ${failed} failed` : ''}${skipped > 0 ? `  ${skipped} skipped` : ''}`
    const tests = open.passed + failed + skipped
    return `${seconds(open.durationMs)} ${String(tests).padStart(5)}  ${open.file}${marks}\n`
  }

  /** A process that ended without having run all its tests is a failure. */
  fail(reason: string): void {
    this.totals.failed++
    this.#failures.push({ file: undefined, name: undefined, text: `✖ ${reason}` })
  }

  /** The files in which a test failed; a process that ended early has none. */
  failedFiles(): string[] {
    return [...new Set(this.#failures.flatMap(({ file }) => file ?? []))]
  }

  /** The names of the tests that failed in a file. */
  failedTests(of: string): string[] {
    return this.#failures.flatMap(({ file, name }) => (file === of ? (name ?? []) : []))
  }

  /** Counts failures in files as passed, as these ran again without one: they are listed apart. */
  passedAgain(): void {
    const again = this.#failures.filter(({ file }) => file !== undefined)
    const rest = this.#failures.filter(({ file }) => file === undefined)
    this.#failures.splice(0, Infinity, ...rest)
    this.#unsteady.push(...again.map(({ text }) => text))
    this.totals.failed -= again.length
    this.totals.passed += again.length
  }

  /** Each failure's name, place and the beginning of its reason, for who shows only little. */
  failuresInShort(): string[] {
    return this.#failures.map(({ text }) => text.slice(0, FAILURE_SHORT_CHARS))
  }

  /** What stands at the end, the totals in the last line. */
  summary(wallMs: number): string {
    const { passed, failed, skipped } = this.totals
    const files = this.#files.map(({ file, durationMs }) => ({ name: file, durationMs }))
    const took = `${Math.floor(wallMs / 60_000)} min ${Math.round((wallMs % 60_000) / 1_000)} s`
    return [
      slowest('files', files),
      slowest('tests', this.#tests),
      section('skipped', this.#skipped),
      section('FAILED FIRST, PASSED WHEN RUN AGAIN', this.#unsteady),
      this.#failures.length === 0
        ? ''
        : `\n${this.#failures.map(({ text }) => text).join('\n\n')}\n`,
      `\ntests: ${passed} passed, ${failed} failed, ${skipped} skipped, in ${took}\n`,
    ].join('')
  }
}

interface Failure {
  readonly file: string | undefined
  readonly name: string | undefined
  readonly text: string
}

interface FileTimes extends TestTotals {
  readonly file: string
  durationMs: number
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1).padStart(7)} s`
}

function slowest(what: string, of: readonly { name: string; durationMs: number }[]): string {
  const slow = of
    .filter(({ durationMs }) => durationMs >= SLOW_MS)
    .toSorted((a, b) => b.durationMs - a.durationMs)
    .slice(0, SLOWEST_SHOWN)
  return section(
    `slowest ${what}`,
    slow.map(({ name, durationMs }) => `${seconds(durationMs)}  ${name}`),
  )
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`
}
