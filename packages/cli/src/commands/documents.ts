import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { valueText } from '@aisle/configuration'
import { Progress } from '../terminal/progress.ts'
import { counted } from '../terminal/table.ts'
import { addEditCommands } from './document-edits.ts'
import { addCommand, addGroup, Run, type Command, type CommonOptions } from './command.ts'

/** Exports documents, and changes or deletes many at once. */
export function addCommands(program: Command, context: Context): void {
  addCommand(program, {
    name: 'export',
    summary: 'export all documents, or those that match a filter, as NDJSON, which import reads',
    talksTo: 'store',
    examples: [`aisle export --filter 'price:<50' --out cheap.ndjson`],
  })
    .option('--filter <filter>', 'a filter expression, as in filter_by')
    .option('--out <file>', 'file to write, instead of standard output')
    .action(exportAction(context))

  const documents = addGroup(program, 'documents', 'read, change and delete documents')
  addCommand(documents, { name: 'get <id>', summary: 'show a document', talksTo: 'store' }).runs(
    async (run, id: string) => {
      const document = await (await run.store('read')).document(id)
      run.print(document, valueText(document, 'yaml'))
    },
  )
  addCommand(documents, {
    name: 'delete',
    summary: 'delete the documents that match a filter, or all',
    talksTo: 'store',
  })
    .option('--filter <filter>', 'a filter expression, as in filter_by')
    .option('--all', 'delete every document of the store')
    .runs(async (run, options: { filter?: string; all?: boolean }) => {
      const { filter, all } = options
      if ((filter === undefined) === (all === undefined)) {
        throw new CommandError('usage', 'Use either --filter or --all')
      }
      const store = await run.store('write')
      const deleted = await (filter === undefined
        ? store.clearDocuments()
        : store.deleteDocuments(filter))
      run.print(deleted, `${counted(deleted.documents_deleted, 'document')} deleted.\n`)
      for (const warning of deleted.warnings ?? []) run.note(warning)
    })
  addCommand(documents, {
    name: 'update <json>',
    summary: 'set fields of all documents that match a filter; null removes a field',
    talksTo: 'store',
    examples: [`aisle documents update '{"on_sale": false}' --filter 'price:>100'`],
  })
    .requiredOption('--filter <filter>', 'a filter expression, as in filter_by')
    .runs(async (run, json: string, options: { filter: string }) => {
      const updated = await (
        await run.store('write')
      ).updateDocuments(options.filter, readObject(json))
      run.print(updated, `${counted(updated.documents_updated, 'document')} updated.\n`)
      for (const { id, error } of updated.errors) run.note(`${id}: ${error}`)
      for (const warning of updated.warnings ?? []) run.note(warning)
      if (updated.documents_failed > 0) {
        throw new CommandError(
          'incomplete',
          `Refused: ${counted(updated.documents_failed, 'document')}`,
        )
      }
    })
  addEditCommands(documents, context)
}

function exportAction(context: Context) {
  return async (options: CommonOptions & { filter?: string; out?: string }): Promise<void> => {
    const run = new Run(context, options)
    const { docCount, lines } = await (await run.store('write')).exportDocuments(options.filter)
    const file = options.out === undefined ? undefined : createWriteStream(options.out)
    const failed = file === undefined ? undefined : once(file, 'error')
    failed?.catch(() => undefined)
    const progress = new Progress(context.err, context.now, 'Exporting')
    let written = 0
    try {
      for await (const line of lines) {
        if (file === undefined) context.out.write(`${line}\n`)
        else if (!file.write(`${line}\n`)) await Promise.race([once(file, 'drain'), failed])
        written++
        if (file !== undefined) progress.show(written / docCount, written)
      }
      if (file !== undefined) {
        file.end()
        // Unlike an event, it also reports a failure that already happened.
        await finished(file)
      }
    } catch (error) {
      const reason = file?.errored?.message
      if (reason === undefined || error !== file?.errored) throw error
      throw new CommandError('usage', `Cannot write "${options.out}": ${reason}`)
    }
    progress.clear()
    const summary = { exported: written, documents: docCount }
    if (file !== undefined) run.print(summary, `${counted(written, 'document')} exported.\n`)
    if (written !== docCount) {
      throw new CommandError(
        'incomplete',
        `Received ${written} of ${docCount} documents: the connection was lost, or the service could not read some (see its log)`,
      )
    }
  }
}

function readObject(json: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new CommandError('usage', `The fields must be JSON: ${(error as Error).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new CommandError('usage', 'The fields must be a JSON object')
}
