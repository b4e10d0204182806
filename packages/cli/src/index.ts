/** The command line, for tools and tests. */

export { EXIT_CODES } from './exit-codes.ts'
export { FAILURES_ALIKE_MAX, FailureReasons } from './import/failure-reasons.ts'
export type { FailureReason } from './import/failure-reasons.ts'
export { commandLineReference, commandNames } from './reference.ts'
export { runCommandLine } from './run-command-line.ts'
