import type { ControlIndex } from '../opensearch/control-index.ts'

/** It cannot be done now. The message is one line for a person. */
export class ImportRefusedError extends Error {
  override readonly name = 'ImportRefusedError'
}

/** The progress of an import of a snapshot: a control document. */
export interface ImportProgress {
  /** Its name. */
  readonly snapshot: string
  /** Tells it from any other snapshot. */
  readonly identity: string
  readonly isDone: boolean
  /** Entries up to here are imported. */
  readonly auditId: number
  /** By store: documents up to this docKey are imported. */
  readonly documents: Readonly<Record<string, number>>
  /** By log: the number of imported entries. */
  readonly events: Readonly<Record<string, number>>
}

const KIND = 'import'
const ID = `${KIND}:installation`
export const IMPORT_JOB = 'import'
/** An import without progress for this time was interrupted. */
export const IMPORT_LEASE_MS = 15_000

/**
 * Records the start of an import, or resumes an interrupted one.
 *
 * @throws ImportRefusedError if the cluster is not empty
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
