import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useStore } from '../../session/store.ts'
import { useResourceChanges } from '../../parts/store-queries.ts'
import type { PresetDraft } from './preset-values.ts'

export interface NamedPreset {
  readonly name: string
  readonly value: PresetDraft
}

export interface Presets {
  /** By name. */
  readonly query: UseQueryResult<readonly NamedPreset[]>
  readonly save: (name: string, value: PresetDraft) => Promise<void>
  readonly remove: (name: string) => Promise<void>
}

export function usePresets(): Presets {
  const { storeId, calls } = useStore()
  const { put, remove } = useResourceChanges('presets', 'search')
  const query = useQuery({
    queryKey: ['presets', storeId, 'values'],
    queryFn: async () => {
      const all = await calls.resources('presets')
      return all.map(({ name, value }) => ({ name, value: (value['value'] ?? {}) as PresetDraft }))
    },
  })
  return { query, save: (name, value) => put(name, { value }), remove }
}
