import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from './commands/command.ts'
import type { Context } from './context.ts'

type AddCommands = (program: Command, context: Context) => void

/** A group of commands, with the first word of each. */
interface Part {
  readonly words: readonly string[]
  readonly load: () => Promise<AddCommands>
}

/** All commands, in the order of the help text. A part is loaded when one of its words is typed. */
export const PARTS: readonly Part[] = [
  {
    words: ['server', 'serve'],
    load: async () => (await import('./commands/server.ts')).addServerCommand,
  },
  {
    words: ['store'],
    load: async () => (await import('./commands/stores.ts')).addStoreCommands,
  },
  {
    words: ['key'],
    load: async () => (await import('./commands/keys.ts')).addKeyCommands,
  },
  {
    words: ['token'],
    load: async () => (await import('./commands/tokens.ts')).addTokenCommands,
  },
  {
    words: ['user', 'audit'],
    load: async () => (await import('./commands/users.ts')).addUserCommands,
  },
  {
    words: ['schema'],
    load: async () => (await import('./commands/schema.ts')).addSchemaCommands,
  },
  {
    words: ['import'],
    load: async () => (await import('./commands/import.ts')).addImportCommand,
  },
  {
    words: ['migrate'],
    load: async () => (await import('./commands/migrate.ts')).addMigrateCommand,
  },
  {
    words: ['export', 'documents'],
    load: async () => (await import('./commands/documents.ts')).addDocumentCommands,
  },
  {
    words: ['reindex'],
    load: async () => (await import('./commands/reindex.ts')).addReindexCommand,
  },
  {
    words: ['search'],
    load: async () => (await import('./commands/search.ts')).addSearchCommand,
  },
  {
    words: ['presets', 'rules', 'synonyms', 'stopwords'],
    load: async () => (await import('./commands/resources.ts')).addResourceCommands,
  },
  {
    words: ['settings'],
    load: async () => (await import('./commands/settings.ts')).addSettingsCommands,
  },
  {
    words: ['suggestions'],
    load: async () => (await import('./commands/suggestions.ts')).addSuggestionsCommands,
  },
  {
    words: ['pull', 'diff', 'apply'],
    load: async () => (await import('./commands/folder.ts')).addFolderCommands,
  },
  {
    words: ['analytics', 'events'],
    load: async () => (await import('./commands/analytics.ts')).addAnalyticsCommands,
  },
  {
    words: ['mcp'],
    load: async () => (await import('./commands/mcp.ts')).addMcpCommand,
  },
  {
    words: ['cluster'],
    load: async () => (await import('./commands/cluster.ts')).addClusterCommands,
  },
  {
    words: ['snapshot', 'restore', 'doctor'],
    load: async () => (await import('./commands/snapshots.ts')).addSnapshotCommands,
  },
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
  const program = new Command('aisle')
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
  for (const add of await Promise.all(parts.map(({ load }) => load()))) add(program, context)
  return program
}
