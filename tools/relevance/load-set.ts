import type { StoreKeys, ThinClient } from '@aisle/testing'
import { loadBatches } from '../lib/bulk-load.ts'
import { Progress } from '../lib/progress.ts'
import type { JudgedSet } from './judged-set.ts'

/**
 * Creates a store for a judged set, with all its documents. They are written in order, because
 * among equals the newest comes first.
 */
export async function loadSet(
  client: ThinClient,
  name: string,
  set: Pick<JudgedSet, 'schema' | 'lines'>,
): Promise<StoreKeys> {
  const keys = await client.createStore({ name: `relevance ${name}` })
  await client.setSchema(keys, set.schema)
  const progress = new Progress(`loading ${name}`, 0)
  const outcome = await loadBatches(client, keys, set.lines(), {
    inFlight: 1,
    onProgress: (documents) => progress.advance(documents),
  })
  progress.finish()
  if (outcome.failedCount > 0) {
    throw new Error(
      `${outcome.failedCount} documents of ${name} failed: ${outcome.reasons[0]?.example}`,
    )
  }
  return keys
}
