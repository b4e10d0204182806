import type { PresetValue } from '@aisle/contract'
import { controlOf } from '../../parts/parameters.ts'

/** A preset as it is edited: whatever its JSON says, known or not. */
export type PresetDraft = Readonly<Record<string, unknown>>

export interface PresetChange {
  readonly name: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** As JSON; absent where there is none. */
  readonly before?: string
  readonly after?: string
}

/** What a preset says differently from another version of it, by the names of parameters. */
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

/** What a preset says differently from a search without it. What is only said again is left out. */
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

/** @returns undefined for what is no JSON object */
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

/** What the service is sent: it says itself what is wrong with it. */
export function presetValue(value: PresetDraft): PresetValue {
  return value as PresetValue
}
