import type { Readable } from 'node:stream'

/** What a command may touch of the world; tests give it another one. */
export interface Context {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly out: Output
  /** Progress, questions and errors: not part of the result. */
  readonly err: Output
  readonly now: () => number
  /** Asks a person; `undefined` when there is none. */
  readonly ask: ((question: string, options: { hidden: boolean }) => Promise<string>) | undefined
  /**
   * Tells when somebody wants to stop (Ctrl-C); who listens ends by itself. A second time ends the process.
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

/** For what describes commands and runs none. */
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
