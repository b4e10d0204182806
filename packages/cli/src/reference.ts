import type { Command } from 'commander'
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
    '`npx aisle-search <command>` runs a command, in a clone and without one; where the package is installed, the command is `aisle` ([install.md](install.md)). `npm run cli-docs` generates this page from the commands.',
    '',
    '- Results go to standard output, everything else (progress, prompts, errors) to standard error. `--json` prints results and errors as one line of JSON.',
    '- A progress bar appears only on a terminal. `--no-color` and the variable `NO_COLOR` turn colours off.',
    '- Secrets are never options, because other users can see the command line of a process. Set the variables `AISLE_ADMIN_TOKEN`, `AISLE_WRITE_SECRET` and `AISLE_READ_SECRET` (for a new user `AISLE_USER_PASSWORD`, for tokens `AISLE_SIGNING_SECRET`), or type them when prompted; they are not echoed.',
    '- If the service is busy (429, 503), commands wait as long as it asks and retry up to four times.',
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

/** Every command without subcommands, as typed after `aisle`. */
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

/** Commands without subcommands, in the order they were added. */
function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}
