import type { TestMessage } from './test-messages-reporter.ts'

export interface TestTotals {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Failures in files of the quarantine (quarantine.ts), which fail no run. */
  readonly quarantined: number
}

/**
 * Tests and files listed at the end: the slowest of those that take at least `SLOW_MS`.
 */
const SLOWEST_SHOWN = 10
const SLOW_MS = 2_000
/** Maximum length of a failure that is repeated after all checks. */
const FAILURE_SHORT_CHARS = 400

/**
 * What a test run shows: a line for each file when all of it has run, with its time; in the end
 * every skipped test with its reason, every failure in full, what was slow, and the totals. Several
 * processes may run files at once.
 */
export class TestReport {
  readonly #quarantine: ReadonlySet<string>
  readonly #files = new Map<string, FileResults>()
  readonly #tests: { readonly name: string; readonly durationMs: number }[] = []
  readonly #failures: string[] = []
  readonly #quarantined: string[] = []
  readonly #skipped: string[] = []
  #passed = 0

  /** @param quarantine files whose failures are listed apart */
  constructor(quarantine: readonly string[] = []) {
    this.#quarantine = new Set(quarantine)
  }

  get totals(): TestTotals {
    return {
      passed: this.#passed,
      failed: this.#failures.length,
      skipped: this.#skipped.length,
      quarantined: this.#quarantined.length,
    }
  }

  /** @returns the line of the file that is finished with this, or nothing */
  take({ outcome, file, name, place, durationMs, reason }: TestMessage): string {
    let results = this.#files.get(file)
    if (results === undefined) {
      results = { durationMs: 0, passed: 0, failed: 0, skipped: 0 }
      this.#files.set(file, results)
    }
    if (outcome === 'file') {
      results.durationMs = durationMs
      return lineOf(file, results)
    }
    results[outcome]++
    if (outcome === 'passed') {
      this.#passed++
      this.#tests.push({ name, durationMs })
    } else if (outcome === 'skipped') this.#skipped.push(`${place} ${name}: ${reason}`)
    else this.fail(`${name} (${place})\n${(reason ?? '').replaceAll(/^/gm, '  ')}`, [file])
    return ''
  }

  /**
   * Counts a failure: of a test, or of a process that ended before it had run all its tests.
   *
   * @param files where it happened
   */
  fail(text: string, files: readonly string[] = []): void {
    const isQuarantined = files.length > 0 && files.every((file) => this.#quarantine.has(file))
    const list = isQuarantined ? this.#quarantined : this.#failures
    list.push(`✖ ${text}`)
  }

  /** Each failure's name, place and the beginning of its reason, for who shows only little. */
  failuresInShort(): string[] {
    return this.#failures.map((text) => text.slice(0, FAILURE_SHORT_CHARS))
  }

  /** Of each file in which nothing failed. */
  seconds(): Map<string, number> {
    const good = [...this.#files].filter(
      ([, { failed, durationMs }]) => failed === 0 && durationMs > 0,
    )
    return new Map(good.map(([file, { durationMs }]) => [file, durationMs / 1_000]))
  }

  /** The closing lines, with the totals in the last one. */
  summary(wallMs: number): string {
    const { passed, failed, skipped, quarantined } = this.totals
    const files = Array.from(this.#files, ([name, { durationMs }]) => ({ name, durationMs }))
    const took = `${Math.floor(wallMs / 60_000)} min ${Math.floor((wallMs % 60_000) / 1_000)} s`
    const apart = quarantined === 0 ? '' : `, ${quarantined} failed in quarantine`
    return [
      slowest('files', files),
      slowest('tests', this.#tests),
      section('skipped', this.#skipped),
      section('FAILED IN QUARANTINE', this.#quarantined),
      failed === 0 ? '' : `\n${this.#failures.join('\n\n')}\n`,
      `\ntests: ${passed} passed, ${failed} failed, ${skipped} skipped${apart}, in ${took}\n`,
    ].join('')
  }
}

interface FileResults {
  durationMs: number
  passed: number
  failed: number
  skipped: number
}

function lineOf(file: string, { durationMs, passed, failed, skipped }: FileResults): string {
  const marks = `${failed > 0 ? `  ✖ ${failed} failed` : ''}${skipped > 0 ? `  ${skipped} skipped` : ''}`
  return `${seconds(durationMs)} ${String(passed + failed + skipped).padStart(5)}  ${file}${marks}\n`
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
