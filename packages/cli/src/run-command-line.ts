import { MissingSecretError, RefusedError, UnreachableError } from '@aisle/client'
import { CommanderError } from 'commander'
import type { Context } from './context.ts'
import { CommandError, EXIT_CODES, type Exit } from './exit-codes.ts'
import { hintFor } from './hint.ts'
import { createProgram } from './program.ts'

/**
 * Runs one command.
 *
 * @param words of the command line, without program and script
 * @returns the exit code
 */
export async function runCommandLine(words: readonly string[], context: Context): Promise<number> {
  const { environment } = context
  try {
    const { asked, isPlain } = withoutColorFlag(words)
    const seen = isPlain ? { ...context, environment: { ...environment, NO_COLOR: '1' } } : context
    const program = await createProgram(seen, asked[0])
    await program.parseAsync(asked, { from: 'user' })
    return EXIT_CODES.ok.code
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? EXIT_CODES.ok.code : EXIT_CODES.usage.code
    }
    const exit = exitOf(error)
    const message = messageOf(error)
    const hint = hintFor(error)
    const lines = hint === undefined ? [message] : [message, hint]
    context.err.write(
      words.includes('--json')
        ? `${errorJson(error, message)}\n`
        : `aisle: ${lines.join('\n  ')}\n`,
    )
    return EXIT_CODES[exit].code
  }
}

/** Every command understands `--no-color`, in any position. */
function withoutColorFlag(words: readonly string[]): { asked: string[]; isPlain: boolean } {
  const end = words.indexOf('--')
  const isFlag = (word: string, at: number): boolean =>
    word === NO_COLOR_FLAG && (end < 0 || at < end)
  const asked = askedHelp(words.filter((word, at) => !isFlag(word, at)))
  return { asked, isPlain: words.some(isFlag) }
}

/** `help import` is `import --help`. */
function askedHelp(words: string[]): string[] {
  return words[0] === 'help' ? [...words.slice(1), '--help'] : words
}

const NO_COLOR_FLAG = '--no-color'

/** Lists all faults that the service reported, not just the first. */
function messageOf(error: unknown): string {
  if (!(error instanceof RefusedError) || error.details.length < 2) {
    return error instanceof Error ? error.message : String(error)
  }
  const faults = error.details.map(({ message }) => `  ${message}`)
  return `${faults.length} errors:\n${faults.join('\n')}`
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
