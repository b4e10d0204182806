import type { MessagePort } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import type { CatalogWriter, WriteOutcome } from '../../ports/catalog/catalog-writer.ts'
import type { AccessKeeper } from '../../ports/access/access-keeper.ts'
import type { ActivityKeeper } from '../../ports/host/activity-keeper.ts'
import type { EditJournal } from '../../ports/catalog/edit-journal.ts'
import type { SnapshotKeeper } from '../../ports/catalog/snapshot-keeper.ts'
import { serveCalls } from '../message-port/serve-calls.ts'
import { unpackWrites, type PackedWrites } from './packed-writes.ts'

export interface CommandTargets {
  readonly writer: CatalogWriter
  readonly edits: EditJournal
  readonly snapshots: SnapshotKeeper
  readonly access: AccessKeeper
  readonly activity: ActivityKeeper
}

/** The calls that a serving thread may make to the writer's thread. */
export interface Commands extends CommandTargets {
  readonly packed: {
    writeDocuments(storeId: string, writes: PackedWrites): Promise<WriteOutcome[]>
  }
}

/**
 * The writer's side of the commands of one serving thread.
 *
 * @param targets snapshots and access of the same data
 * @param onFault receives errors that are not ApiErrors: bugs, for the log
 */
export function serveCommands(
  port: MessagePort,
  targets: CommandTargets,
  onFault: (error: unknown) => void,
): void {
  const commands: Commands = {
    ...targets,
    packed: {
      writeDocuments: (storeId, writes) =>
        targets.writer.writeDocuments(storeId, unpackWrites(writes)),
    },
  }
  serveCalls(port, commands, (error) => {
    onFault(error)
    return new ApiError('internal', 'Cannot write')
  })
}
