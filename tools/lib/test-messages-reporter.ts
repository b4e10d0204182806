import { relative } from 'node:path'
import { inspect } from 'node:util'

/**
 * What a process that runs tests says of one of them, or of a suite, to the process that started
 * it.
 */
export interface TestMessage {
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'suite'
  readonly name: string
  /** From the root of the repository. */
  readonly file: string
  readonly line: number | undefined
  /** The time of whole files is that of what stands in no suite. */
  readonly durationMs: number
  readonly isOutermost: boolean
  /** Why it is skipped, or what failed. */
  readonly reason: string | undefined
}

/** Sent when all tests have run: a process that ends without it has crashed. */
export const ALL_HAVE_RUN = 'all have run'

/** A reporter of node:test: sends each result to the parent process, and writes nothing. */
export default async function* sendTestMessages(
  events: AsyncIterable<TestEvent>,
): AsyncIterable<string> {
  for await (const event of events) {
    const message = messageOf(event)
    if (message !== undefined) process.send?.(message)
  }
  process.send?.(ALL_HAVE_RUN)
  yield ''
}

/** The parts of node:test's events that are read here. */
export interface TestEvent {
  readonly type: string
  readonly data: {
    readonly name?: string
    readonly nesting?: number
    readonly file?: string
    readonly line?: number
    readonly skip?: string | boolean
    readonly todo?: string | boolean
    readonly details?: {
      readonly type?: string
      readonly duration_ms?: number
      readonly error?: unknown
    }
  }
}

export function messageOf({ type, data }: TestEvent): TestMessage | undefined {
  if (type !== 'test:pass' && type !== 'test:fail') return undefined
  const { name = '', nesting = 0, file, line, skip, todo, details = {} } = data
  const common = {
    name,
    file: file === undefined ? '' : relative(process.cwd(), file),
    line,
    durationMs: details.duration_ms ?? 0,
    isOutermost: nesting === 0,
  }
  if (type === 'test:fail') {
    // A suite counts only when it fails by itself (a hook that throws): its tests have said what
    // they are.
    if (details.type === 'suite' && isSubtestFailure(details.error)) {
      return { ...common, outcome: 'suite', reason: undefined }
    }
    return { ...common, outcome: 'failed', reason: explain(details.error) }
  }
  const mark = skip ?? todo
  if (mark !== undefined) {
    const reason = typeof mark === 'string' && mark !== '' ? mark : 'no reason given'
    return { ...common, outcome: 'skipped', reason }
  }
  const outcome = details.type === 'suite' ? 'suite' : 'passed'
  return { ...common, outcome, reason: undefined }
}

function isSubtestFailure(error: unknown): boolean {
  return (
    error instanceof Error && (error as { failureType?: string }).failureType === 'subtestsFailed'
  )
}

/** node:test wraps what a test threw; the cause is what its author wants to see. */
function explain(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return typeof cause === 'string' ? cause : inspect(cause, { depth: 8, breakLength: 100 })
}
