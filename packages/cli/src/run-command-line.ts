import { MissingSecretError, RefusedError, UnreachableError } from '@aisle/client'
import { CommanderError } from 'commander'
import type { Context } from './context.ts'
import { CommandError, EXIT_CODES } from './exit-codes.ts'
import type { Exit } from './exit-codes.ts'
import { createProgram } from './program.ts'

/**
 * Runs one command.
 *
 * @param words of the command line, without program and script
 * @returns the exit code
 */
export async function runCommandLine(words: readonly string[], context: Context): Promise<number> {
  try {
    const program = await createProgram(context, words[0])
    await program.parseAsync([...words], { from: 'user' })
    return EXIT_CODES.ok.code
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? EXIT_CODES.ok.code : EXIT_CODES.usage.code
    }
    const exit = exitOf(error)
    const message = messageOf(error)
    context.err.write(
      words.includes('--json') ? `${errorJson(error, message)}\n` : `aisle: ${message}\n`,
    )
    return EXIT_CODES[exit].code
  }
}

/** Everything that the service has found wrong, not the first thing alone. */
function messageOf(error: unknown): string {
  if (!(error instanceof RefusedError) || error.details.length < 2) {
    return error instanceof Error ? error.message : String(error)
  }
  const faults = error.details.map(({ message }) => `  ${message}`)
  return `${faults.length} things are wrong:\n${faults.join('\n')}`
}

function exitOf(error: unknown): Exit {
  if (error instanceof CommandError) return error.exit
  if (error instanceof MissingSecretError) return 'usage'
  if (error instanceof UnreachableError) return 'unreachable'
  if (error instanceof RefusedError) {
    if (error.status === 429 || error.status === 503) return 'unreachable'
    return error.status < 500 ? 'refused' : 'failed'
  }
  return 'failed'
}

function errorJson(error: unknown, message: string): string {
  if (!(error instanceof RefusedError)) return JSON.stringify({ error: message })
  const { code, status, param, details, requestId } = error
  const all = details.length < 2 ? {} : { details }
  return JSON.stringify({
    error: error.message,
    code,
    status,
    param,
    ...all,
    request_id: requestId,
  })
}
