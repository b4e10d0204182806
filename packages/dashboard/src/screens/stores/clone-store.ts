import { settingsToSet, type AisleClient, type ResourceKind } from '@aisle/client'
import type { NewStore } from '../../parts/store-secrets.tsx'

/** Documents in one request. */
const BATCH_DOCUMENTS = 250
/** Presets and rules name sets, so sets come first. */
const RESOURCES: readonly ResourceKind[] = ['synonym-sets', 'stopword-sets', 'presets', 'rules']

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
  const source = api.store(from)
  onProgress({ step: 'Reading the store', done: 0, total: 1 })
  const [{ fields }, settings, suggestions] = await Promise.all([
    source.schema(),
    source.settings(),
    source.suggestionsConfig(),
  ])
  const made = await api.createStore({ name })
  const target = api.store(made.store_id)
  try {
    await copyAll()
  } catch (error) {
    await api.deleteStore(made.store_id).catch(() => undefined)
    throw error
  }
  return made

  async function copyAll(): Promise<void> {
    if (fields.length > 0) await target.changeSchema({ fields })
    onProgress({ step: 'Copying sets, presets and rules', done: 0, total: 1 })
    for (const kind of RESOURCES) {
      for (const { name: one, value } of await source.resources(kind)) {
        await target.putResource(kind, one, value)
      }
    }
    await target.changeSettings(settingsToSet(settings))
    await target.putSuggestionsConfig(suggestions)
    if (withProducts) await copyProducts()
  }

  async function copyProducts(): Promise<void> {
    const { docCount, lines } = await source.exportDocuments(undefined, undefined, 'inserted')
    let batch: string[] = []
    let done = 0
    const send = async (): Promise<void> => {
      if (batch.length === 0) return
      const { failed } = (await target.bulk(batch)).summary
      if (failed > 0) throw new Error(`${failed} products could not be copied to ${made.name}`)
      done += batch.length
      batch = []
      onProgress({ step: 'Copying products', done, total: docCount })
    }
    for await (const line of lines) {
      // `{"id":…,"data":…}`: adds the action in front, and keeps the rest as stored.
      batch.push(`{"action":"upsert",${line.slice(1)}`)
      if (batch.length === BATCH_DOCUMENTS) await send()
    }
    await send()
  }
}
