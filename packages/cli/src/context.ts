import type { Readable } from 'node:stream'

/** The outside world of a command; tests replace it. */
export interface Context {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly out: Output
  /** Progress, questions and errors: not part of the result. */
  readonly err: Output
  readonly now: () => number
  /** Prompts a person; `undefined` without a terminal. */
  readonly ask: ((question: string, options: { hidden: boolean }) => Promise<string>) | undefined
  /**
   * Called on Ctrl-C; the listener ends the work itself. A second Ctrl-C ends the process.
   *
   * @returns stops listening
   */
  readonly onInterrupt: (listener: () => void) => () => void
  /** Runs the service in this process. */
  readonly startService: (flags: readonly string[]) => Promise<void>
}

export interface Output {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
}

/** How the command was called, for texts that name another one: `npx` finds only the package. */
export function commandName({ environment }: Pick<Context, 'environment'>): string {
  return environment['npm_command'] === 'exec' ? 'npx aisle-search' : 'aisle'
}

/** For code that describes commands but runs none. */
export const NOWHERE: Context = {
  environment: {},
  stdin: undefined as never,
  out: { write: () => undefined, isTerminal: false },
  err: { write: () => undefined, isTerminal: false },
  now: () => 0,
  ask: undefined,
  onInterrupt: () => () => undefined,
  startService: () => Promise.resolve(),
}
