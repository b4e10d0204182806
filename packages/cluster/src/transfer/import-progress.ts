import type { ControlIndex } from '../opensearch/control-index.ts'

/** It cannot be done now. The message is one line for the person who asked. */
export class ImportRefusedError extends Error {
  override readonly name = 'ImportRefusedError'
}

/** How far an import of a snapshot has come: a control document. */
export interface ImportProgress {
  /** Its name. */
  readonly snapshot: string
  /** Tells it from any other snapshot. */
  readonly identity: string
  readonly isDone: boolean
  /** Entries up to here are there. */
  readonly auditId: number
  /** By store: documents up to this docKey are there. */
  readonly documents: Readonly<Record<string, number>>
  /** By log: so many of its entries are there. */
  readonly events: Readonly<Record<string, number>>
}

const KIND = 'import'
const ID = `${KIND}:installation`
export const IMPORT_JOB = 'import'
/** An import that has not noted anything for so long was cut off. */
export const IMPORT_LEASE_MS = 15_000

/**
 * Notes that a snapshot is being imported, or goes on with an import that was cut off.
 *
 * @throws ImportRefusedError when the cluster is not empty
 */
export async function beginImport(
  index: ControlIndex,
  { snapshot, identity }: Pick<ImportProgress, 'snapshot' | 'identity'>,
): Promise<{ readonly progress: ImportProgress; readonly isResumed: boolean }> {
  const before = await importOf(index)
  if (before?.isDone === false) {
    if (before.identity === identity) return { progress: before, isResumed: true }
    throw new ImportRefusedError(
      `Cannot import: an import of ${before.snapshot} was cut off; import that one again, or remove the indices of this installation`,
    )
  }
  for (const kind of ['store', 'user']) {
    // One that was removed leaves a document without content.
    const found = (await index.all(kind)).filter(({ json }) => json !== '' && !isRemoved(json))
    if (found.length === 0) continue
    throw new ImportRefusedError(
      `Cannot import: this installation has ${kind}s already; another --opensearch-prefix names an empty one`,
    )
  }
  const progress = { snapshot, identity, isDone: false, auditId: 0, documents: {}, events: {} }
  await saveImport(index, progress)
  return { progress, isResumed: false }
}

/** Nobody else writes it: see `IMPORT_JOB`. */
export async function saveImport(index: ControlIndex, progress: ImportProgress): Promise<void> {
  const put = { id: ID, kind: KIND, json: JSON.stringify(progress) }
  await index.commit([{ put, expected: 'any' }])
}

/** @throws ImportRefusedError while a snapshot is being imported, or that was cut off */
export async function refuseUnfinishedImport(index: ControlIndex): Promise<void> {
  const progress = await importOf(index)
  if (progress === undefined || progress.isDone) return
  throw new ImportRefusedError(
    `Cannot use this cluster: the import of ${progress.snapshot} is not complete; run aisle cluster import again`,
  )
}

async function importOf(index: ControlIndex): Promise<ImportProgress | undefined> {
  const stored = await index.get(ID)
  return stored === undefined ? undefined : (JSON.parse(stored.json) as ImportProgress)
}

/** The document of a user who was deleted. */
function isRemoved(json: string): boolean {
  const { user, record } = JSON.parse(json) as { user?: unknown; record?: unknown }
  return user === undefined && record === undefined
}
