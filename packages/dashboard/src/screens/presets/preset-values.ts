import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useStore } from '../../session/store.ts'
import { useResourceChanges, Version, type Base } from '../../parts/store-queries.ts'
import { controlOf } from '../../parts/parameters.ts'

/** A preset being edited: all members of its JSON, known or not. */
export type PresetDraft = Readonly<Record<string, unknown>>

export interface PresetChange {
  readonly name: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** As JSON; absent where there is none. */
  readonly before?: string
  readonly after?: string
}

/** The differences between two versions of a preset, by parameter. */
export function presetChanges(before: PresetDraft, after: PresetDraft): PresetChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].toSorted().flatMap((name): PresetChange[] => {
    const [was, is] = [jsonOf(before[name]), jsonOf(after[name])]
    if (was === is) return []
    if (was === undefined) return [{ name, kind: 'added', after: is! }]
    if (is === undefined) return [{ name, kind: 'removed', before: was }]
    return [{ name, kind: 'changed', before: was, after: is }]
  })
}

/** The differences from a search without the preset. Members equal to a default are left out. */
export function changesFromDefaults(value: PresetDraft): PresetChange[] {
  const named = Object.keys(value)
  const initial = named.flatMap((name): [string, unknown][] => {
    const control = controlOf(name)
    return control !== undefined && 'initial' in control && control.kind !== 'maybe'
      ? [[name, control.initial]]
      : []
  })
  return presetChanges(Object.fromEntries(initial), value)
}

function jsonOf(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}

/** @returns undefined if it is not a JSON object */
export function parsePreset(text: string): PresetDraft | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return value as PresetDraft
  } catch {
    return undefined
  }
}

export function presetText(value: PresetDraft): string {
  return JSON.stringify(value, undefined, 2)
}

export interface NamedPreset {
  readonly name: string
  readonly value: PresetDraft
}

export interface Presets {
  /** By name. */
  readonly query: UseQueryResult<readonly NamedPreset[]>
  /** @param base what is replaced; the change fails if it is another */
  readonly save: (
    name: string,
    value: PresetDraft,
    base?: PresetDraft | Version,
  ) => Promise<Version>
  readonly remove: (name: string, base: PresetDraft | Version) => Promise<void>
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
  return {
    query,
    save: (name, value, base) => put(name, { value }, base && baseOf(base)),
    remove: (name, base) => remove(name, baseOf(base)),
  }
}

function baseOf(base: PresetDraft | Version): Base {
  return base instanceof Version ? base : { value: base }
}
