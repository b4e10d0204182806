import type { StoreClient } from '@aisle/client'
import { applyChanges, type FileFailure } from './apply-changes.ts'
import { changesTo } from './changes.ts'
import { fetchConfiguration, type StoreConfiguration } from './store-configuration.ts'

interface CopiedConfiguration {
  /** Field that the second store declares differently: then nothing was applied. */
  readonly conflict?: string
  /** What the second store refused. */
  readonly failures: readonly FileFailure[]
}

/**
 * Gives a second store a configuration, and what of the source no file holds: the configuration of
 * suggestions and the rejected synonyms. A repetition applies what has changed since.
 */
export async function copyConfiguration(
  source: StoreClient,
  second: StoreClient,
  wanted: StoreConfiguration,
): Promise<CopiedConfiguration> {
  const changes = changesTo(await fetchConfiguration(second), wanted)
  const conflict = changes.find(({ verb }) => verb === 'conflict')
  if (conflict !== undefined) return { conflict: conflict.name, failures: [] }
  const failures = await applyChanges(second, changes)
  if (failures.length > 0) return { failures }
  await second.putSuggestionsConfig(await source.suggestionsConfig())
  const { rejected } = await source.synonymSuggestions()
  for (const { from, to } of rejected) await second.rejectSynonym({ from, to })
  return { failures }
}
