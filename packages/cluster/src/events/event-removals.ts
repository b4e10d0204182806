import { afterErasure, erasedHashes } from '@aisle/event-log'
import type { ErasedHashes, ErasedIds, LogFiles } from '@aisle/event-log'
import { ControlFollower } from '../opensearch/control-follower.ts'
import type { ControlDocument, StoredControl } from '../opensearch/control-document.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import { KnownDocuments, type DocumentKind } from '../control/known-documents.ts'

/** The events that every node must remove from its copy of a log, and not accept again. */
export interface LogRemovals {
  readonly erased: ErasedHashes
  /** Everything that arrived before this time is removed. */
  readonly droppedBeforeMs: number
}

const NOTHING: LogRemovals = { erased: [], droppedBeforeMs: 0 }

const REMOVALS: DocumentKind<LogRemovals> = {
  kind: 'event-removals',
  change: 'remove events',
  read: (json) => JSON.parse(json) as LogRemovals,
  write: (removals) => JSON.stringify(removals),
}

/** Reads the removals of each log. */
export async function removalsOf(index: ControlIndex): Promise<ReadonlyMap<string, LogRemovals>> {
  const documents = await index.all(REMOVALS.kind)
  return new Map(
    documents.map(({ id, json }) => [
      id.slice(REMOVALS.kind.length + 1),
      REMOVALS.read(json, undefined),
    ]),
  )
}

/**
 * Returns the control document with the erased visitors of a log in a folder; undefined if there
 * are none.
 */
export function removalsDocument(log: string, files: LogFiles): ControlDocument | undefined {
  const erased = erasedHashes(files)
  if (erased.length === 0) return undefined
  const json = REMOVALS.write({ erased, droppedBeforeMs: 0 })
  return { id: `${REMOVALS.kind}:${log}`, kind: REMOVALS.kind, json }
}

/** The removals from the event logs of a cluster, in one control document per log. */
export class EventRemovals {
  readonly #documents: KnownDocuments<LogRemovals>
  #follower: ControlFollower | undefined

  private constructor(index: ControlIndex) {
    this.#documents = new KnownDocuments(index, REMOVALS)
  }

  /**
   * @param onChange called for each log with removals, at the start and after a change by any node
   * @param onFailure called when the cluster did not respond; it is retried
   */
  static async open(
    index: ControlIndex,
    onChange: (log: string, removals: LogRemovals) => void,
    onFailure: (error: unknown) => void,
  ): Promise<EventRemovals> {
    const removals = new EventRemovals(index)
    const take = (documents: readonly StoredControl[]): void => {
      for (const document of documents) {
        removals.#documents.take(document)
        if (document.kind !== REMOVALS.kind) continue
        const log = document.id.slice(REMOVALS.kind.length + 1)
        onChange(log, removals.#of(log))
      }
    }
    const documents = await index.all(REMOVALS.kind)
    take(documents)
    const from = documents.at(-1)?.version.seqNo ?? -1
    removals.#follower = new ControlFollower(index, from, { onChanges: take, onFailure })
    removals.#follower.start()
    return removals
  }

  #of(log: string): LogRemovals {
    return this.#documents.get(log) ?? NOTHING
  }

  /**
   * Records that all events of a visitor before now are erased.
   * @throws ApiError unavailable
   */
  async erase(log: string, visitor: ErasedIds, nowMs: number): Promise<LogRemovals> {
    await this.#documents.change(log, (before = NOTHING) => {
      return { ...before, erased: afterErasure(before.erased, visitor, nowMs) }
    })
    return this.#of(log)
  }

  /**
   * @returns undefined if it changes nothing, because at least as much was already removed
   * @throws ApiError unavailable
   */
  async dropBefore(log: string, receivedMs: number): Promise<LogRemovals | undefined> {
    let isNew = false
    await this.#documents.change(log, (before = NOTHING) => {
      isNew = before.droppedBeforeMs < receivedMs
      return isNew ? { ...before, droppedBeforeMs: receivedMs } : before
    })
    return isNew ? this.#of(log) : undefined
  }

  close(): void {
    this.#follower?.close()
  }
}
