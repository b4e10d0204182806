import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { snapshotKeeperConformance } from '../../ports/snapshot-keeper.conformance.ts'
import { createMemoryCatalog } from './memory-catalog.ts'
import { createMemorySnapshots } from './memory-snapshots.ts'

const clock = { now: () => Date.UTC(2026, 0, 1) }

snapshotKeeperConformance('The memory adapter', async () => {
  const { writer, registry } = createMemoryCatalog({ clock })
  await writer.createStore({ name: 'Shop', id: 'shop' })
  await writer.changeSchema('shop', 'additive', checkSchemaFields([{ name: 'n', type: 'int32' }]))
  const writes = ['a', 'b', 'c'].map((id) => ({
    id,
    action: 'upsert' as const,
    json: Buffer.from('{}'),
  }))
  await writer.writeDocuments('shop', writes)
  return {
    ...createMemorySnapshots(registry, clock),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
})
