import type { ControlIndex } from '../opensearch/control-index.ts'

/** The import cannot run now. The message is one line for a person. */
export class ImportRefusedError extends Error {
  override readonly name = 'ImportRefusedError'
}

/** The progress of an import of a snapshot: a control document. */
export interface ImportProgress {
  /** The name of the snapshot. */
  readonly snapshot: string
  /** Identifies the content of the snapshot. */
  readonly identity: string
  readonly isDone: boolean
  /** Audit entries up to this id are imported. */
  readonly auditId: number
  /** Documents up to this docKey are imported, by store. */
  readonly documents: Readonly<Record<string, number>>
  /** The number of imported entries, by log. */
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
      `Cannot import: an import of ${before.snapshot} was interrupted; repeat that import, or delete the indices of this installation`,
    )
  }
  for (const kind of ['store', 'user']) {
    // A removed record leaves a document without content.
    const found = (await index.all(kind)).filter(({ json }) => json !== '' && !isRemoved(json))
    if (found.length === 0) continue
    throw new ImportRefusedError(
      `Cannot import: this installation already has ${kind}s; use an empty one, with another --opensearch-prefix`,
    )
  }
  const progress = { snapshot, identity, isDone: false, auditId: 0, documents: {}, events: {} }
  await saveImport(index, progress)
  return { progress, isResumed: false }
}

/** Only one process writes it; see `IMPORT_JOB`. */
export async function saveImport(index: ControlIndex, progress: ImportProgress): Promise<void> {
  const put = { id: ID, kind: KIND, json: JSON.stringify(progress) }
  await index.commit([{ put, expected: 'any' }])
}

/** @throws ImportRefusedError during an import and after an interrupted one */
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

/** Whether it is the document of a deleted user. */
function isRemoved(json: string): boolean {
  const { user, record } = JSON.parse(json) as { user?: unknown; record?: unknown }
  return user === undefined && record === undefined
}
