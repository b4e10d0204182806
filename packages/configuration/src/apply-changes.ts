import { RefusedError, type StoreClient, type StoreSchema } from '@aisle/client'
import { fileOf, redefinesFields, type Change } from './changes.ts'

/** A file that could not be applied. */
export interface FileFailure {
  /** Path without extension: `rules/mugs`. */
  readonly file: string
  readonly error: RefusedError
}

/** Interval between two looks at a change of the schema. */
const LOOK_MS = 500

export interface ApplyOptions {
  readonly onApplied?: (file: string) => void
  /** Called while fields are being redefined. */
  readonly onProgress?: (change: NonNullable<StoreSchema['change']>) => void
}

/**
 * Applies changes: the schema first, because presets and rules may refer to its fields (it waits
 * until redefined ones serve), then the settings, then each set, preset and rule. Continues after
 * refusals, so that all faults are reported at once; only a refused schema ends it.
 *
 * @throws UnreachableError, or RefusedError if the service cannot continue; not for refused files
 */
export async function applyChanges(
  store: StoreClient,
  changes: readonly Change[],
  { onApplied = () => undefined, onProgress = () => undefined }: ApplyOptions = {},
): Promise<readonly FileFailure[]> {
  const failures: FileFailure[] = []
  const fields = changes.flatMap((change) => (change.kind === 'schema' ? [change.field] : []))
  const settings = changes.flatMap((change) =>
    change.kind === 'settings' ? [[change.name, change.after] as const] : [],
  )
  const attempt = async (file: string, call: Promise<unknown>): Promise<void> => {
    try {
      await call
      onApplied(file)
    } catch (error) {
      if (!isRefused(error)) throw error
      failures.push({ file, error })
    }
  }
  const changeFields = async (): Promise<void> => {
    if (!redefinesFields(changes)) return void (await store.changeSchema({ fields }))
    await store.changeSchema({ mode: 'change', fields })
    for (;;) {
      const { change } = await store.schema()
      if (change === undefined) return
      if (change.state === 'failed') throw new Error('The service could not redefine the fields')
      onProgress(change)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }
  if (fields.length > 0) await attempt('schema', changeFields())
  if (failures.length > 0) return failures
  if (settings.length > 0) {
    await attempt('settings', store.changeSettings(Object.fromEntries(settings)))
  }
  for (const change of changes) {
    if (change.kind === 'schema' || change.kind === 'settings') continue
    const { kind, name, verb } = change
    const call =
      verb === 'remove'
        ? store.deleteResource(kind, name)
        : store.putResource(kind, name, change.after)
    await attempt(fileOf(change), call)
  }
  return failures
}

/** Refused for its content: a retry would be refused again. */
function isRefused(error: unknown): error is RefusedError {
  return error instanceof RefusedError && error.status < 500 && error.status !== 429
}
