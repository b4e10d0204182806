import { Readable } from 'node:stream'
import { runCommandLine } from '../../packages/cli/src/index.ts'

/** The output of a command. */
export interface Ran {
  readonly exit: number
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** As text, or as a stream. */
  readonly stdin?: string | Readable
  /** A person's answers to its questions; by default it runs without a person. */
  readonly answers?: readonly string[]
  /** Simulates Ctrl-C. */
  readonly interrupt?: AbortSignal
}

/** Runs a command of `aisle` in this process, like a shell. */
export async function runAisle(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { environment = {}, stdin = '', answers = [] } = options
  let [out, err] = ['', '']
  const left = [...answers]
  const exit = await runCommandLine(words, {
    environment,
    stdin: typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin,
    out: { write: (text) => void (out += text), isTerminal: false },
    err: { write: (text) => void (err += text), isTerminal: false },
    now: () => Date.now(),
    // Only the nodes of a cluster have to hear of something.
    pause: () => Promise.resolve(),
    onInterrupt: (listener) => {
      options.interrupt?.addEventListener('abort', listener)
      return () => options.interrupt?.removeEventListener('abort', listener)
    },
    ask: answers.length === 0 ? undefined : () => Promise.resolve(left.shift() ?? ''),
    startService: () => Promise.resolve(),
  })
  return { exit, out, err }
}
