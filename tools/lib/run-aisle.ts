import { Readable } from 'node:stream'
import { runCommandLine } from '../../packages/cli/src/index.ts'

/** What a command has said. */
export interface Ran {
  readonly exit: number
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** What a person answers to its questions; without any there is no person. */
  readonly answers?: readonly string[]
}

/** Runs a command of `aisle` as a shell would, in this process. */
export async function runAisle(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { environment = {}, stdin = '', answers = [] } = options
  let [out, err] = ['', '']
  const left = [...answers]
  const exit = await runCommandLine(words, {
    environment,
    stdin: Readable.from([Buffer.from(stdin)]),
    out: { write: (text) => void (out += text), isTerminal: false },
    err: { write: (text) => void (err += text), isTerminal: false },
    now: () => Date.now(),
    ask: answers.length === 0 ? undefined : () => Promise.resolve(left.shift() ?? ''),
    startService: () => Promise.resolve(),
  })
  return { exit, out, err }
}
