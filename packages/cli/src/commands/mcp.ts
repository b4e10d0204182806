import { serveStandardStreams } from '@aisle/mcp'
import { readFileSync } from 'node:fs'
import type { Context } from '../context.ts'
import { addCommand, type Command } from './command.ts'

/** Serves a store to AI assistants. */
export function addCommands(program: Command, context: Context): void {
  addCommand(program, {
    name: 'mcp',
    summary:
      'serve the store as tools of the Model Context Protocol, over standard input and output',
    talksTo: 'store',
    examples: ['AISLE_STORE=shop AISLE_READ_SECRET=rs_… aisle mcp'],
  })
    .option('--changes', 'also offer tools that save rules and synonyms (needs the write secret)')
    .runs(async (run, options: { changes?: boolean }) => {
      const manages = (context.environment['AISLE_WRITE_SECRET'] ?? '') !== ''
      const store = await run.store(manages ? 'write' : 'read')
      const rights = { manages, changes: options.changes === true }
      const ended = Promise.withResolvers<void>()
      // Standard output belongs to the protocol; messages go to standard error.
      const stop = serveStandardStreams(store, ownVersion(), rights, (error) =>
        run.note(error.message),
      )
      const stopListening = context.onInterrupt(() => ended.resolve())
      context.stdin.once('close', () => ended.resolve())
      context.stdin.once('end', () => ended.resolve())
      await ended.promise
      stopListening()
      await stop()
    })
}

function ownVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
