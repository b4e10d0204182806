import type { MessagePort } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import type { CatalogWriter } from '../../ports/catalog-writer.ts'
import type { AccessKeeper } from '../../ports/access-keeper.ts'
import type { SnapshotKeeper } from '../../ports/snapshot-keeper.ts'
import { toPortable } from './command.ts'
import type { AnswerMessage, Command, CommandMessage } from './command.ts'
import { unpackWrites } from './packed-writes.ts'

/**
 * Writer's side of the commands of one serving thread.
 *
 * @param targets snapshots and access of the same data
 * @param onFault told about errors that are not ApiErrors: bugs, for the log
 */
export function serveCommands(
  port: MessagePort,
  targets: CommandTargets,
  onFault: (error: unknown) => void,
): void {
  port.on('message', ({ callId, command }: CommandMessage) => {
    perform(targets, command).then(
      (result) => port.postMessage({ callId, result } satisfies AnswerMessage),
      (error: unknown) => {
        if (!(error instanceof ApiError)) onFault(error)
        const known = error instanceof ApiError ? error : new ApiError('internal', 'Cannot write')
        port.postMessage({ callId, error: toPortable(known) } satisfies AnswerMessage)
      },
    )
  })
}

export interface CommandTargets {
  readonly writer: CatalogWriter
  readonly snapshots: SnapshotKeeper
  readonly access: AccessKeeper
}

async function perform(
  { writer, snapshots, access }: CommandTargets,
  command: Command,
): Promise<unknown> {
  switch (command.kind) {
    case 'createStore':
      return await writer.createStore({ name: command.name, id: command.id })
    case 'deleteStore':
      return await writer.deleteStore(command.storeId)
    case 'renameStore':
      return await writer.renameStore(command.storeId, command.name)
    case 'rotateKey':
      return await writer.rotateKey(command.storeId, command.keyKind, command.graceSeconds)
    case 'revokePreviousKey':
      return await writer.revokePreviousKey(command.storeId, command.keyKind)
    case 'noteKeyUses':
      return await writer.noteKeyUses(command.uses)
    case 'changeSchema':
      return await writer.changeSchema(command.storeId, command.mode, command.fields)
    case 'changeResources':
      return await writer.changeResources(command.storeId, command.change, command.language)
    case 'writeDocuments':
      return await writer.writeDocuments(command.storeId, unpackWrites(command.writes))
    case 'deleteDocument':
      return await writer.deleteDocument(command.storeId, command.id)
    case 'changeVersions':
      return await writer.changeVersions(command.storeId, command.versions, command.change)
    case 'snapshot':
      return await snapshots[command.call](command.name)
    case 'access':
      return await access[command.call](command.request as never)
    case 'clearDocuments':
      return await writer.clearDocuments(command.storeId)
  }
}
