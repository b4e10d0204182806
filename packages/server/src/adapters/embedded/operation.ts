import type { DocumentVersion, DocumentWrite, VersionChange } from '../../ports/catalog-writer.ts'

/** What waits for the writer. */
export type Operation = DocumentOperation | ExclusiveOperation

/** Decided together with its neighbours, committed in one group. */
export type DocumentOperation =
  | {
      readonly kind: 'write'
      readonly storeId: string
      readonly writes: readonly DocumentWrite[]
      readonly settle: Settle
    }
  | {
      readonly kind: 'change'
      readonly storeId: string
      readonly versions: readonly DocumentVersion[]
      readonly change: VersionChange
      readonly settle: Settle
    }
  | {
      readonly kind: 'delete'
      readonly storeId: string
      readonly id: string
      readonly settle: Settle
    }

/** Runs alone, when nothing else is in flight. */
export interface ExclusiveOperation {
  readonly kind: 'exclusive'
  readonly run: () => Promise<unknown>
  readonly settle: Settle
}

export interface Settle {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Documents, and bytes of JSON, of one commit. One operation may exceed them by itself. */
const GROUP_WRITES_MAX = 4_000
const GROUP_BYTES_MAX = 16 * 1024 * 1024

/** Takes from the head of the queue what one commit can hold: document operations only. */
export function takeGroup(queue: Operation[]): DocumentOperation[] {
  const group: DocumentOperation[] = []
  let writes = 0
  let bytes = 0
  for (const operation of queue) {
    if (operation.kind === 'exclusive') break
    if (operation.kind === 'write') {
      writes += operation.writes.length
      for (const { json } of operation.writes) bytes += json.length
    } else {
      writes += operation.kind === 'change' ? operation.versions.length : 1
    }
    if (group.length > 0 && (writes > GROUP_WRITES_MAX || bytes > GROUP_BYTES_MAX)) break
    group.push(operation)
  }
  queue.splice(0, group.length)
  return group
}
