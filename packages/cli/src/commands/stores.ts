import type { StoreSummary } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import { printable } from '../terminal/style.ts'
import { count, counted, size, table } from '../terminal/table.ts'
import { addCommand, addGroup, type Run, type Command } from './command.ts'

/** Stores. */
export function addCommands(program: Command): void {
  const store = addGroup(program, 'store', 'create, list, rename, swap and delete stores')
  addCommand(store, {
    name: 'create <name>',
    summary: 'create a store and show its secrets, once',
    talksTo: 'service',
    examples: ['aisle store create "My shop" --id shop'],
  })
    .option('--id <id>', 'store id (default: generated)')
    .runs(async (run, name: string, options: { id?: string }) => {
      const made = await (
        await run.admin()
      ).createStore(options.id === undefined ? { name } : { name, id: options.id })
      const lines = Object.entries(made).map(([key, value]) => `${key}: ${printable(value)}\n`)
      run.print(made, lines.join(''))
      run.note('Save the write secret: it is not shown again.')
    })
  addCommand(store, { name: 'list', summary: 'list all stores', talksTo: 'service' }).runs(
    async (run) => {
      const { stores } = await (await run.admin()).stores()
      run.print(stores, storeTable(stores))
    },
  )
  addCommand(store, { name: 'get <id>', summary: 'show one store', talksTo: 'service' }).runs(
    async (run, id: string) => {
      const one = await (await run.admin()).describeStore(id)
      run.print(one, storeTable([one]))
    },
  )
  addCommand(store, {
    name: 'rename <id> <name>',
    summary: 'rename a store; its id stays the same',
    talksTo: 'service',
  }).runs(async (run, id: string, name: string) => {
    const one = await (await run.admin()).renameStore(id, name)
    run.print(one, storeTable([one]))
  })
  addCommand(store, {
    name: 'swap <id> <other>',
    summary: 'exchange documents, schema and settings of two stores; ids, names and keys stay',
    talksTo: 'service',
    examples: ['aisle store swap shop shop-next'],
  }).runs(async (run, id: string, other: string) => {
    const { stores } = await (await run.admin()).swapStores(id, other)
    run.print(stores, storeTable(stores))
  })
  addCommand(store, {
    name: 'delete <id>',
    summary: 'delete a store with all its documents, after confirmation by name',
    talksTo: 'service',
  })
    .option('--confirm <name>', 'the name of the store, to skip the prompt')
    .runs(async (run, id: string, options: { confirm?: string }) => {
      const client = await run.admin()
      await confirmName(run, await client.describeStore(id), options.confirm)
      run.print(await client.deleteStore(id), `Store "${id}" deleted.\n`)
    })
}

function storeTable(stores: readonly StoreSummary[]): string {
  return table(
    ['id', 'name', 'documents', 'on disk', 'index', 'last write'],
    stores.map((one) => [
      one.store_id,
      one.name,
      count(one.documents),
      size(one.disk_bytes),
      size(one.index_bytes),
      one.last_write_at ?? 'never',
    ]),
  )
}

async function confirmName(
  run: Run,
  { name, documents }: StoreSummary,
  given: string | undefined,
): Promise<void> {
  const { ask } = run.context
  if (given === undefined && ask === undefined) {
    throw new CommandError('usage', 'Confirm with --confirm and the name of the store')
  }
  const question = `This permanently deletes ${counted(documents, 'document')}. Type the store's name to confirm (${printable(name)}): `
  const answer = given ?? (await ask!(question, { hidden: false }))
  if (answer !== name) {
    throw new CommandError('usage', 'That is not the name of the store; nothing was deleted')
  }
}
