import { setTimeout as pause } from 'node:timers/promises'
import type { AisleClient, StoreRestore } from '@aisle/client'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { Progress } from '../terminal/progress.ts'
import { printable } from '../terminal/style.ts'
import { count, counted, table } from '../terminal/table.ts'
import { addCommand, type Command } from './command.ts'

const LOOK_MS = 250

/** Restores one store of a snapshot into a new store of the running service. */
export function addRestoreCommands(snapshot: Command, context: Context): void {
  addCommand(snapshot, {
    name: 'stores <snapshot>',
    summary: 'list the stores that a snapshot holds',
    talksTo: 'service',
  }).runs(async (run, name: string) => {
    const { stores } = await (await run.admin()).snapshotStores(name)
    const rows = stores.map((one) => [one.store_id, printable(one.name), count(one.documents)])
    run.print(stores, table(['id', 'name', 'documents'], rows))
  })
  addCommand(snapshot, {
    name: 'restore <snapshot> <store>',
    summary: 'restore a store of a snapshot as a new store; other stores do not change',
    talksTo: 'service',
    examples: ['aisle snapshot restore snapshot-20260101T000000Z shop --as shop-restored'],
  })
    .requiredOption('--as <id>', 'id of the new store')
    .option('--name <name>', 'name of the new store (default: as in the snapshot)')
    .runs(async (run, name: string, store: string, options: { as: string; name?: string }) => {
      const admin = await run.admin()
      const request = { store, id: options.as, ...(options.name && { name: options.name }) }
      const started = await admin.restoreStore(name, request)
      const restore = await ended(context, admin, started.restore.id)
      const keys = Object.entries(started.store).map(([key, value]) => {
        return `${key}: ${printable(value)}\n`
      })
      if (restore.state !== 'done') {
        throw new CommandError('incomplete', `${outcome(restore)} The new store was deleted`)
      }
      run.print({ restore, store: started.store }, `${keys.join('')}${outcome(restore)}\n`)
      for (const { id, error } of restore.errors) run.note(`${id}: ${error}`)
      run.note('Save the write secret: it is not shown again.')
      if (restore.refused > 0) {
        throw new CommandError('incomplete', `Refused: ${counted(restore.refused, 'document')}`)
      }
    })
  addCommand(snapshot, {
    name: 'restores',
    summary: 'list restores of stores, newest first',
    talksTo: 'service',
  }).runs(async (run) => {
    const { restores } = await (await run.admin()).restores()
    const rows = restores.map((one) => [
      one.id,
      one.state,
      one.snapshot,
      one.source_store,
      one.store_id,
      count(one.documents_done),
    ])
    const head = ['id', 'state', 'snapshot', 'store', 'new store', 'documents']
    run.print(restores, restores.length === 0 ? 'No restores.\n' : table(head, rows))
  })
  addCommand(snapshot, {
    name: 'cancel-restore <id>',
    summary: 'cancel a restore in progress and delete the new store',
    talksTo: 'service',
  }).runs(async (run, id: string) => {
    const restore = await (await run.admin()).cancelRestore(id)
    run.print(restore, `${outcome(restore)}\n`)
  })
}

async function ended(context: Context, admin: AisleClient, id: string): Promise<StoreRestore> {
  const progress = new Progress(context.err, context.now, 'Restoring')
  for (;;) {
    const restore = await admin.restore(id)
    const { state, documents_done: done, documents_total: total } = restore
    if (state !== 'verifying' && state !== 'copying') {
      progress.clear()
      return restore
    }
    progress.show(state === 'verifying' ? Number.NaN : done / Math.max(1, total), done)
    await pause(LOOK_MS)
  }
}

function outcome({ state, error, documents_done: done, store_id: id }: StoreRestore): string {
  if (state === 'failed') return `The restore failed: ${error ?? 'for an unknown reason'}.`
  if (state === 'cancelled') return 'The restore was cancelled.'
  if (state === 'done') return `Store "${id}" has ${counted(done, 'document')}.`
  return 'The restore stops before its next documents.'
}
