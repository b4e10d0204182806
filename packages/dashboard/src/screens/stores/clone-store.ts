import type { AisleClient } from '@aisle/client'
import type { NewStore } from '../../parts/store-secrets.tsx'

export interface CloneProgress {
  readonly step: string
  readonly done: number
  readonly total: number
}

/**
 * Creates a store with the schema, settings, sets, presets and rules of another, and its products
 * if requested. Keys, events and reports are not copied. If a part fails, the incomplete store is
 * deleted.
 */
export async function cloneStore(
  api: AisleClient,
  { from, name, withProducts }: { from: string; name: string; withProducts: boolean },
  onProgress: (progress: CloneProgress) => void,
): Promise<NewStore> {
  const { copyConfiguration, fetchConfiguration, knownEverywhere } =
    await import('@aisle/configuration')
  const source = api.store(from)
  onProgress({ step: 'Reading the store', done: 0, total: 1 })
  const configuration = await fetchConfiguration(source)
  const made = await api.createStore({ name })
  const target = api.store(made.store_id)
  try {
    await knownEverywhere()
    onProgress({ step: 'Copying sets, presets and rules', done: 0, total: 1 })
    const { failures } = await copyConfiguration(source, target, configuration)
    if (failures.length > 0) throw failures[0]!.error
    if (withProducts) await copyProducts()
  } catch (error) {
    await api.deleteStore(made.store_id).catch(() => undefined)
    throw error
  }
  return made

  async function copyProducts(): Promise<void> {
    const { copyDocumentsOnce } = await import('@aisle/import')
    const { outcome } = await copyDocumentsOnce({
      source,
      second: target,
      schema: await target.schema(),
      mapping: new Map(),
      signal: new AbortController().signal,
      onProgress: (share, done) =>
        onProgress({ step: 'Copying products', done, total: Math.round(done / share) }),
      onFailed: () => undefined,
    })
    if (outcome.failed > 0) {
      throw new Error(`${outcome.failed} products could not be copied to ${name}`)
    }
  }
}
