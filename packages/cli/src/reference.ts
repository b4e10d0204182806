import type { Command } from './commands/command.ts'
import { NOWHERE } from './context.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { guessingPage } from './import/guessing-page.ts'
import { createProgram } from './program.ts'

/** The page docs/cli.md: every command with the help that it prints. */
export async function commandLineReference(): Promise<string> {
  const program = await createProgram(NOWHERE)
  const exits = Object.values(EXIT_CODES).map(({ code, meaning }) => `| ${code} | ${meaning} |`)
  return [
    '# The command line',
    '',
    '`npx aisle-search <command>` runs a command, from a clone as without one; where the package is installed it is called `aisle` ([install.md](install.md)). This page is written by `npm run cli-docs` from the commands themselves; a test keeps it equal.',
    '',
    '- Results go to the standard output, everything else (progress, questions, errors) to the standard error. `--json` prints a result as one line of JSON, and an error too.',
    '- A progress bar is shown on a terminal only. `--no-color`, with any command, and the variable `NO_COLOR` switch colours off.',
    '- Secrets are never options: they would stand in the list of processes. Set the variables `AISLE_ADMIN_TOKEN`, `AISLE_WRITE_SECRET` and `AISLE_READ_SECRET` (for a new user `AISLE_USER_PASSWORD`, for tokens `AISLE_SIGNING_SECRET`), or type them when you are asked; they are not echoed.',
    '- A busy service (429, 503) is waited for as long as it asks, up to four times.',
    '',
    '| exit code | meaning |',
    '|---|---|',
    ...exits,
    '',
    ...leavesOf(program).flatMap((command) =>
      command.name() === 'import' && command.parent === program
        ? [...section(command), ...guessingPage()]
        : section(command),
    ),
  ].join('\n')
}

/** Every command that does something, as it is typed after `aisle`. */
export async function commandNames(): Promise<string[]> {
  return leavesOf(await createProgram(NOWHERE)).map((command) =>
    wordsOf(command).slice(1).join(' '),
  )
}

function wordsOf(command: Command): string[] {
  const words: string[] = []
  for (let at: Command | null = command; at !== null; at = at.parent) words.unshift(at.name())
  return words
}

function section(command: Command): string[] {
  const help =
    command.name() === 'server' ? [] : ['```text', command.helpInformation().trimEnd(), '```', '']
  return [`## ${wordsOf(command).join(' ')}`, '', `${sentence(command.description())}`, '', ...help]
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`
}

/** Commands that do something, in the order they were added. */
function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}
