import { relative } from 'node:path'
import { inspect } from 'node:util'

/** What a process that runs test files (run-files.ts) tells the process that started it. */
export interface TestMessage {
  /** Of a test; or that all of a file has run. */
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'file'
  /** The test file that runs, from the root of the repository. */
  readonly file: string
  readonly name: string
  /** Where the test is written, which may be another file: its path and line. */
  readonly place: string
  readonly durationMs: number
  /** Why it is skipped, or what failed. */
  readonly reason: string | undefined
}

/** A reporter of node:test: sends each result to the parent process, and writes nothing. */
export default async function* sendTestMessages(
  events: AsyncIterable<TestEvent>,
): AsyncIterable<string> {
  let file = ''
  for await (const event of events) {
    if (isStartOfFile(event)) file = fromRoot(event.data.name)
    for (const message of messagesOf(event, file)) process.send?.(message)
  }
  yield ''
}

/** The parts of node:test's events that are read here. */
export interface TestEvent {
  readonly type: string
  readonly data: {
    readonly name?: string
    /** 0: a file, 1: the suite of all its tests. */
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

/** @param file the test file that runs */
export function messagesOf({ type, data }: TestEvent, file: string): TestMessage[] {
  if (type !== 'test:pass' && type !== 'test:fail') return []
  const { name = '', nesting = 0, line, skip, todo, details = {} } = data
  const isFile = nesting < 2
  const written = isFile ? file : fromRoot(data.file)
  const result = {
    file,
    name: isFile ? 'the file itself' : name,
    place: isFile || line === undefined ? written : `${written}:${line}`,
    durationMs: details.duration_ms ?? 0,
    reason: undefined,
  }
  const messages: TestMessage[] = []
  // A file or a suite counts only when it fails itself (it cannot be loaded, a hook throws): its
  // tests have reported their own failures.
  const isSuite = isFile || details.type === 'suite'
  const mark = skip ?? todo
  if (type === 'test:fail') {
    if (!isSuite || !isSubtestFailure(details.error)) {
      messages.push({ ...result, outcome: 'failed', reason: explain(details.error) })
    }
  } else if (mark !== undefined) {
    const reason = typeof mark === 'string' && mark !== '' ? mark : 'no reason given'
    messages.push({ ...result, outcome: 'skipped', reason })
  } else if (!isSuite) messages.push({ ...result, outcome: 'passed' })
  if (nesting === 0) messages.push({ ...result, outcome: 'file' })
  return messages
}

function isStartOfFile({ type, data }: TestEvent): boolean {
  return type === 'test:start' && data.nesting === 0
}

function fromRoot(file = ''): string {
  return file === '' ? '' : relative(process.cwd(), file)
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
