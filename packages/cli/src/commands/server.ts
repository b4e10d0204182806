import type { Context } from '../context.ts'
import type { Command } from './command.ts'

/** Starts the service, which parses its own options. */
export function addCommands(program: Command, context: Context): void {
  program
    .command('server [options...]')
    .alias('serve')
    .description('start the service; its options: aisle server --help')
    .allowUnknownOption()
    .helpOption(false)
    .action((_options: unknown, __: unknown, command: Command) =>
      context.startService(command.args),
    )
}
