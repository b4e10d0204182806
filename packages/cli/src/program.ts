import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from './commands/command.ts'
import type { Context } from './context.ts'

type AddCommands = (program: Command, context: Context) => void

/** A group of commands, with the first word of each. */
interface Part {
  readonly words: readonly string[]
  readonly load: () => Promise<{ readonly addCommands: AddCommands }>
}

/** All commands, in the order of the help text. A part is loaded when one of its words is typed. */
export const PARTS: readonly Part[] = [
  { words: ['server', 'serve'], load: () => import('./commands/server.ts') },
  { words: ['store'], load: () => import('./commands/stores.ts') },
  { words: ['key'], load: () => import('./commands/keys.ts') },
  { words: ['token'], load: () => import('./commands/tokens.ts') },
  { words: ['user', 'audit'], load: () => import('./commands/users.ts') },
  { words: ['schema'], load: () => import('./commands/schema.ts') },
  { words: ['import'], load: () => import('./commands/import.ts') },
  { words: ['migrate'], load: () => import('./commands/migrate.ts') },
  { words: ['export', 'documents'], load: () => import('./commands/documents.ts') },
  { words: ['source'], load: () => import('./commands/source.ts') },
  { words: ['reindex'], load: () => import('./commands/reindex.ts') },
  { words: ['search'], load: () => import('./commands/search.ts') },
  {
    words: ['collections', 'presets', 'rules', 'strategies', 'synonyms', 'stopwords'],
    load: () => import('./commands/resources.ts'),
  },
  { words: ['settings'], load: () => import('./commands/settings.ts') },
  { words: ['suggestions'], load: () => import('./commands/suggestions.ts') },
  { words: ['experiments'], load: () => import('./commands/experiments.ts') },
  { words: ['missed-searches'], load: () => import('./commands/missed-searches.ts') },
  { words: ['pull', 'diff', 'apply'], load: () => import('./commands/folder.ts') },
  { words: ['analytics', 'events'], load: () => import('./commands/analytics.ts') },
  { words: ['mcp'], load: () => import('./commands/mcp.ts') },
  { words: ['embedder'], load: () => import('./commands/embedder.ts') },
  { words: ['cluster'], load: () => import('./commands/cluster.ts') },
  { words: ['snapshot', 'restore', 'doctor'], load: () => import('./commands/snapshots.ts') },
]

/** The version of this package, and of the service. */
const { version: VERSION } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
) as { version: string }

/** The help text has the same width on every machine, so that tests can compare it. */
const HELP_WIDTH = 100

/**
 * Builds the tree of commands, which `--help` and docs/cli.md show.
 *
 * @param word the first typed word: if it names a part, only that part is loaded
 */
export async function createProgram(context: Context, word?: string): Promise<Command> {
  const program = new Command(context, 'aisle')
    .description('Aisle: the service, its stores and their data from a terminal.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('(add --help to a command to list its arguments and options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.out.write(text),
      writeErr: (text) => context.err.write(text),
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      'after',
      '\nSecrets are read from AISLE_ADMIN_TOKEN, AISLE_WRITE_SECRET, AISLE_READ_SECRET and\nAISLE_SIGNING_SECRET, or prompted for.\n--no-color turns colours off for any command, as does NO_COLOR.',
    )
  const asked = PARTS.filter(({ words }) => word !== undefined && words.includes(word))
  const parts = asked.length === 0 ? PARTS : asked
  for (const { addCommands } of await Promise.all(parts.map(({ load }) => load()))) {
    addCommands(program, context)
  }
  return program
}
