import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useStore } from '../../session/store.ts'
import { presetValue, type PresetDraft } from './preset-values.ts'

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
  const client = useQueryClient()
  const query = useQuery({
    queryKey: ['presets', storeId, 'values'],
    queryFn: async () => {
      const all = await calls.resources('presets')
      return all.map(({ name, value }) => ({ name, value: (value['value'] ?? {}) as PresetDraft }))
    },
  })
  const changed = async (): Promise<void> => {
    const keys = ['presets', 'search'].map((name) => [name, storeId])
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
  }
  return {
    query,
    save: async (name, value) => {
      await calls.putResource('presets', name, { value: presetValue(value) })
      await changed()
    },
    remove: async (name) => {
      await calls.deleteResource('presets', name)
      await changed()
    },
  }
}
