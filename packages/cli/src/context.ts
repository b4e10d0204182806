import type { Readable } from 'node:stream'

/** The outside world of a command; tests replace it. */
export interface Context {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly out: Output
  /** Progress, prompts and errors, which are not part of the result. */
  readonly err: Output
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
  /** Prompts a person; `undefined` without a terminal. */
  readonly ask: ((question: string, options: { hidden: boolean }) => Promise<string>) | undefined
  /**
   * Calls the listener on Ctrl-C, which must end the work. A second Ctrl-C ends the process.
   *
   * @returns a function that stops listening
   */
  readonly onInterrupt: (listener: () => void) => () => void
  /** Runs the service in this process. */
  readonly startService: (flags: readonly string[]) => Promise<void>
}

export interface Output {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
}

/** The name of the command in messages: without an installation, only `npx` finds it. */
export function commandName({ environment }: Pick<Context, 'environment'>): string {
  return environment['npm_command'] === 'exec' ? 'npx aisle-search' : 'aisle'
}

/** A context for code that describes commands without running them. */
export const NOWHERE: Context = {
  environment: {},
  stdin: undefined as never,
  out: { write: () => undefined, isTerminal: false },
  err: { write: () => undefined, isTerminal: false },
  now: () => 0,
  pause: () => Promise.resolve(),
  ask: undefined,
  onInterrupt: () => () => undefined,
  startService: () => Promise.resolve(),
}
