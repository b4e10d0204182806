import { Command } from './commands/command.ts'
import { addAnalyticsCommands } from './commands/analytics.ts'
import { addDocumentCommands } from './commands/documents.ts'
import { addFolderCommands } from './commands/folder.ts'
import { addImportCommand } from './commands/import.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addResourceCommands } from './commands/resources.ts'
import { addSchemaCommands } from './commands/schema.ts'
import { addSearchCommand } from './commands/search.ts'
import { addSettingsCommands } from './commands/settings.ts'
import { addSuggestionsCommands } from './commands/suggestions.ts'
import { addSnapshotCommands } from './commands/snapshots.ts'
import { addStoreCommands } from './commands/stores.ts'
import { addUserCommands } from './commands/users.ts'
import type { Context } from './context.ts'

/** Help is as wide on every machine, so that it can be compared. */
const HELP_WIDTH = 100

/** The tree of all commands: what `--help` shows and docs/cli.md is made of. */
export function createProgram(context: Context): Command {
  const program = new Command('aisle')
    .description('Aisle: the service, its stores and their data from a terminal.')
    .helpCommand(false)
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
      '\nSecrets are read from AISLE_ADMIN_TOKEN, AISLE_WRITE_SECRET and AISLE_READ_SECRET, or asked for.',
    )
  program
    .command('server [options...]')
    .description('start the service; its options: aisle server --help')
    .allowUnknownOption()
    .helpOption(false)
    .action((_options: unknown, __: unknown, command: Command) =>
      context.startService(command.args),
    )
  addStoreCommands(program, context)
  addKeyCommands(program, context)
  addUserCommands(program, context)
  addSchemaCommands(program, context)
  addImportCommand(program, context)
  addDocumentCommands(program, context)
  addSearchCommand(program, context)
  addResourceCommands(program, context)
  addSettingsCommands(program, context)
  addSuggestionsCommands(program, context)
  addFolderCommands(program, context)
  addAnalyticsCommands(program, context)
  addSnapshotCommands(program, context)
  return program
}
