import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { inspect } from 'node:util'

/**
 * Test reporter: a dot per test, then every skipped test with its reason, every failure in full, and
 * one line of totals. With `TEST_TOTALS_FILE` set, the totals are also written there as JSON,
 * for tools/ci.ts: what tests print can never be mistaken for a count.
 */
export default async function* compactReporter(
  events: AsyncIterable<TestEvent>,
): AsyncIterable<string> {
  const failures: string[] = []
  const skipped: string[] = []
  const slowest: { name: string; durationMs: number }[] = []
  const totals: TestTotals = { passed: 0, failed: 0, skipped: 0 }
  let column = 0
  const mark = (sign: string): string => {
    column += 1
    if (column % COLUMNS !== 0) return sign
    return `${sign}\n`
  }

  for await (const { type, data } of events) {
    // A suite is a heading: its tests have reported for themselves. It counts only when it fails by
    // itself (a hook that throws), which shows as a failure whose cause is not "n subtests failed".
    const suiteOfFailures = data.details?.type === 'suite' && isSubtestFailure(data.details.error)
    if (type === 'test:pass') {
      if (data.details?.type === 'suite' && data.skip === undefined) continue
      if (data.skip !== undefined || data.todo !== undefined) {
        totals.skipped += 1
        skipped.push(`${place(data)} ${data.name}: ${reason(data.skip ?? data.todo)}`)
        yield mark('s')
      } else {
        totals.passed += 1
        slowest.push({ name: data.name ?? '', durationMs: data.details?.duration_ms ?? 0 })
        yield mark('.')
      }
    } else if (type === 'test:fail' && !suiteOfFailures) {
      totals.failed += 1
      failures.push(`✖ ${data.name} (${place(data)})\n${indent(explain(data.details?.error))}`)
      yield mark('F')
    } else if (type === 'test:stderr' || type === 'test:stdout') {
      yield data.message ?? ''
    }
  }

  if (column % COLUMNS !== 0) yield '\n'
  slowest.sort((a, b) => b.durationMs - a.durationMs)
  const slow = slowest.slice(0, 5).filter((test) => test.durationMs >= 2_000)
  if (slow.length > 0) {
    yield `\nslowest:\n${slow.map((t) => `  ${(t.durationMs / 1_000).toFixed(1)} s  ${t.name}\n`).join('')}`
  }
  if (skipped.length > 0) yield `\nskipped:\n${skipped.map((line) => `  ${line}\n`).join('')}`
  if (failures.length > 0) yield `\n${failures.join('\n\n')}\n`
  yield `\ntests: ${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`

  const totalsFile = process.env['TEST_TOTALS_FILE']
  if (totalsFile !== undefined) writeFileSync(totalsFile, JSON.stringify(totals))
}

export interface TestTotals {
  passed: number
  failed: number
  skipped: number
}

/** The parts of node:test's events that are read here. */
export interface TestEvent {
  readonly type: string
  readonly data: {
    readonly name?: string
    readonly file?: string
    readonly line?: number
    readonly skip?: string | boolean
    readonly todo?: string | boolean
    readonly message?: string
    readonly details?: {
      readonly type?: string
      readonly duration_ms?: number
      readonly error?: unknown
    }
  }
}

const COLUMNS = 100

function isSubtestFailure(error: unknown): boolean {
  return (
    error instanceof Error && (error as { failureType?: string }).failureType === 'subtestsFailed'
  )
}

function place(data: TestEvent['data']): string {
  if (data.file === undefined) return ''
  return `${relative(process.cwd(), data.file)}${data.line === undefined ? '' : `:${data.line}`}`
}

function reason(mark: string | boolean | undefined): string {
  return typeof mark === 'string' && mark !== '' ? mark : 'no reason given'
}

/** node:test wraps what a test threw; the cause is what its author wants to see. */
function explain(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return typeof cause === 'string' ? cause : inspect(cause, { depth: 8, breakLength: 100 })
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
