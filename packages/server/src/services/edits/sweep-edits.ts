import { setImmediate as nextTurn } from 'node:timers/promises'
import { isStoreContent } from '../../ports/catalog/edit-journal.ts'
import type { ServicePorts } from '../service-ports.ts'
import { removeExpired } from './edit-documents.ts'

/** Removes edits that are too old or too many, and those of deleted stores. */
export async function sweepEdits(ports: ServicePorts): Promise<void> {
  const { edits, registry, backend } = ports
  // Read before the stores: those that are created meanwhile are not missing there.
  const contents = await edits.contents()
  const living = new Set(registry.list().map(({ storeId }) => backend.view(storeId)?.content))
  // A store that this thread does not know yet must not lose its edits.
  if (living.has(undefined)) return
  for (const content of contents) {
    if (!isStoreContent(content)) continue
    if (living.has(content)) await removeExpired(ports, content)
    else for (const { id } of await edits.list(content)) await edits.remove(content, id)
    await nextTurn()
  }
}
