/** The command line, for tools and tests. */

export { EXIT_CODES } from './exit-codes.ts'
export { commandLineReference, commandNames } from './reference.ts'
export { runCommandLine } from './run-command-line.ts'
