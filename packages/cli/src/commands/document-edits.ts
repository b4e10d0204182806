import { setTimeout as pause } from 'node:timers/promises'
import type { StoreClient } from '@aisle/client'
import type { DocumentEdit, DocumentEditJob, DocumentEditPreview } from '@aisle/contract'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { Progress } from '../terminal/progress.ts'
import { counted, table } from '../terminal/table.ts'
import { addCommand, type Command, type Run } from './command.ts'

const LOOK_MS = 250

interface EditOptions {
  readonly filter?: string
  readonly query?: string
  readonly set?: string
  readonly add?: string
  readonly remove?: string
  readonly delete?: boolean
  readonly note?: string
  readonly preview?: boolean
}

/** Edits many documents as a job of the service: preview, edit, history, cancel, undo. */
export function addEditCommands(documents: Command, context: Context): void {
  addCommand(documents, {
    name: 'edit',
    summary: 'edit all documents that match a filter or a search; `documents undo` reverses it',
    talksTo: 'store',
    examples: [
      `aisle documents edit --filter 'brand:=Northfold' --add '{"tags": "sale", "price": -5}' --preview`,
      `aisle documents edit --filter 'stock:=0' --set '{"visible": false}' --remove '{"badge": true}'`,
    ],
  })
    .option('--filter <filter>', 'a filter expression, as in filter_by')
    .option('--query <words>', 'search words; "*" matches every document')
    .option('--set <json>', 'fields to set; null removes one')
    .option('--add <json>', 'by field: a number to add, or values to append to a list')
    .option('--remove <json>', 'by field: values to remove from a list, or true for the field')
    .option('--delete', 'delete the documents')
    .option('--note <text>', 'shown in the history')
    .option('--preview', 'only show what would change')
    .runs(async (run, options: EditOptions) => {
      const store = await run.store('write')
      const { filter, query, note } = options
      const request = {
        ...(filter === undefined ? {} : { filter_by: filter }),
        ...(query === undefined ? {} : { q: query }),
        ...(note === undefined ? {} : { note }),
        edit: editOf(options),
      }
      if (options.preview === true) {
        const preview = await store.previewEdit(request)
        run.print(preview, previewText(preview))
        return
      }
      await report(run, context, store, await store.editDocuments(request))
    })
  addCommand(documents, {
    name: 'edits',
    summary: 'list bulk edits, newest first',
    talksTo: 'store',
  }).runs(async (run) => {
    const { edits } = await (await run.store('write')).edits()
    const rows = edits.map((job) => [
      job.id,
      job.created_at,
      job.kind,
      job.state,
      job.changed,
      job.undone_by === undefined ? job.history : 'undone',
      job.note ?? '',
    ])
    const head = ['id', 'created', 'kind', 'state', 'changed', 'history', 'note']
    run.print(edits, edits.length === 0 ? 'No edits yet.\n' : table(head, rows))
  })
  addCommand(documents, {
    name: 'cancel <edit>',
    summary: 'cancel an edit in progress',
    talksTo: 'store',
  }).runs(async (run, id: string) => {
    const store = await run.store('write')
    await store.cancelEdit(id)
    const job = await ended(context, store, id)
    run.print(job, resultText(job))
  })
  addCommand(documents, {
    name: 'undo <edit>',
    summary: 'undo an edit; documents that were changed since stay as they are',
    talksTo: 'store',
  }).runs(async (run, id: string) => {
    const store = await run.store('write')
    await report(run, context, store, await store.undoEdit(id))
  })
}

function editOf({ set, add, remove, delete: isDelete }: EditOptions): DocumentEdit {
  const given = Object.entries({ set, add, remove }).flatMap(([name, json]) =>
    json === undefined ? [] : [[name, readFields(name, json)]],
  )
  if (given.length === 0 && isDelete !== true) {
    throw new CommandError('usage', 'Use --set, --add, --remove or --delete')
  }
  return {
    ...(Object.fromEntries(given) as DocumentEdit),
    ...(isDelete === true ? { delete: true } : {}),
  }
}

async function report(
  run: Run,
  context: Context,
  store: StoreClient,
  begun: DocumentEditJob,
): Promise<void> {
  const job = await ended(context, store, begun.id)
  run.print(job, resultText(job))
  for (const { id, error } of job.errors) run.note(`${id}: ${error}`)
  for (const id of job.skipped_ids)
    run.note(`${id}: changed by others in the meantime, left unchanged`)
  if (job.state !== 'done' || job.refused + job.skipped > 0) {
    throw new CommandError(
      'incomplete',
      job.error ?? `Not changed: ${counted(job.refused + job.skipped, 'document')}`,
    )
  }
}

async function ended(context: Context, store: StoreClient, id: string): Promise<DocumentEditJob> {
  const progress = new Progress(context.err, context.now, 'Editing')
  for (;;) {
    const job = await store.edit(id)
    if (job.state !== 'finding' && job.state !== 'changing') {
      progress.clear()
      return job
    }
    progress.show(job.found === 0 ? Number.NaN : job.done / job.found, job.done)
    await pause(LOOK_MS)
  }
}

function resultText({ id, kind, state, changed, edit }: DocumentEditJob): string {
  const verb = kind === 'undo' ? 'restored' : edit.delete === true ? 'deleted' : 'changed'
  const how = state === 'done' ? '' : ` (${state})`
  return `${counted(changed, 'document')} ${verb}${how}. Edit ${id}\n`
}

function previewText({
  found,
  checked,
  changed,
  unchanged,
  refused,
  ...rest
}: DocumentEditPreview) {
  const lines = rest.samples.map(
    ({ id, before, after }) => `${id}: ${JSON.stringify(before)} → ${JSON.stringify(after)}\n`,
  )
  const errors = rest.errors.map(({ id, error }) => `${id}: refused: ${error}\n`)
  const of = checked < found ? ` of the first ${checked}` : ''
  const counts = `${counted(found, 'document')} found${of}: ${changed} to change, ${unchanged} unchanged, ${refused} refused\n`
  return `${counts}${lines.join('')}${errors.join('')}`
}

function readFields(name: string, json: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new CommandError('usage', `--${name} must be JSON: ${(error as Error).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new CommandError('usage', `--${name} must be a JSON object`)
}
