/** The exit codes of commands. docs/cli.md has the same table; a test keeps the two equal. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'Done.' },
  failed: { code: 1, meaning: 'Failed for any other reason.' },
  usage: { code: 2, meaning: 'The command, an option, a file or a secret is missing or wrong.' },
  refused: { code: 3, meaning: 'The service refused the request (4xx); the message says why.' },
  unreachable: { code: 4, meaning: 'The service does not answer, or is busy (429, 503).' },
  incomplete: {
    code: 5,
    meaning: 'Incomplete: rows failed, differences were found, or a folder or snapshot is damaged.',
  },
} as const

export type Exit = keyof typeof EXIT_CODES

/** Ends a command with a one-line message and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exit: Exit

  constructor(exit: Exit, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exit = exit
  }
}
