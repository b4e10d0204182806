import type { NamedResource } from '@aisle/client'
import { collectionsIn } from '@aisle/contract/collection-names'

/** Where a collection is used. */
export interface CollectionUse {
  readonly kind: 'rule' | 'preset'
  readonly name: string
}

/** The rules and presets whose filters name a collection, by collection. */
export function collectionUses(
  rules: readonly NamedResource[],
  presets: readonly NamedResource[],
): ReadonlyMap<string, readonly CollectionUse[]> {
  const uses = new Map<string, CollectionUse[]>()
  const add = (kind: CollectionUse['kind'], { name, value }: NamedResource): void => {
    const named = new Set(textsIn(value).flatMap(collectionsIn))
    for (const one of named) uses.set(one, [...(uses.get(one) ?? []), { kind, name }])
  }
  for (const rule of rules) add('rule', rule)
  for (const preset of presets) add('preset', preset)
  return uses
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** "rule tents, preset summer". */
export function usesText(uses: readonly CollectionUse[]): string {
  return uses.map(({ kind, name }) => `${kind} ${name}`).join(', ')
}
