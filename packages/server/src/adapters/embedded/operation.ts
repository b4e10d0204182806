import type {
  DocumentVersion,
  DocumentWrite,
  VersionChange,
} from '../../ports/catalog/catalog-writer.ts'

/** Work that waits for the writer. */
export type Operation = DocumentOperation | ExclusiveOperation

/** Document operations are decided together with their neighbours and committed in one group. */
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
      /** The content of the versions; absent: the current content of the store. */
      readonly content?: string | undefined
      readonly settle: Settle
    }
  | {
      readonly kind: 'delete'
      readonly storeId: string
      readonly id: string
      readonly ifMatch?: string | undefined
      readonly settle: Settle
    }

/** An exclusive operation runs when nothing else is in flight. */
export interface ExclusiveOperation {
  readonly kind: 'exclusive'
  readonly run: () => Promise<unknown>
  readonly settle: Settle
}

export interface Settle {
  resolve(value: unknown): void
  reject(error: unknown): void
}
