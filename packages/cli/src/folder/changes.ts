import type { ResourceKind, ResourceValue, SchemaFieldRequest, StoreClient } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import { isSame } from './differences.ts'
import type { StoreConfiguration } from './settings-folder.ts'

/** One step from the state of a store to that of a folder. */
export type Change =
  | {
      readonly kind: 'schema'
      readonly verb: 'add' | 'conflict'
      readonly name: string
      readonly before?: unknown
      readonly field: SchemaFieldRequest
    }
  | {
      readonly kind: 'settings'
      readonly verb: 'change'
      readonly name: string
      readonly before: unknown
      readonly after: unknown
    }
  | {
      readonly kind: ResourceKind
      readonly verb: 'add' | 'change'
      readonly name: string
      readonly before?: ResourceValue | undefined
      readonly after: ResourceValue
    }
  | {
      readonly kind: ResourceKind
      readonly verb: 'remove'
      readonly name: string
      readonly before: ResourceValue
    }

/** The changes that turn `store` into `wanted`. Pure. */
export function changesTo(store: StoreConfiguration, wanted: StoreConfiguration): Change[] {
  const changes: Change[] = []
  const fields = new Map((store.schema ?? []).map((field) => [field.name, field]))
  for (const field of wanted.schema ?? []) {
    const before = fields.get(field.name)
    if (before === undefined) changes.push({ kind: 'schema', verb: 'add', name: field.name, field })
    else if (!isSame(field, before)) {
      changes.push({ kind: 'schema', verb: 'conflict', name: field.name, before, field })
    }
  }
  for (const [name, after] of Object.entries(wanted.settings ?? {})) {
    const before = store.settings?.[name]
    if (!isSame(after, before))
      changes.push({ kind: 'settings', verb: 'change', name, before, after })
  }
  for (const [kind, named] of wanted.resources) {
    const present = store.resources.get(kind) ?? new Map<string, ResourceValue>()
    for (const [name, after] of named) {
      const before = present.get(name)
      if (before !== undefined && isSame(after, before)) continue
      changes.push({ kind, verb: before === undefined ? 'add' : 'change', name, before, after })
    }
    for (const [name, before] of present) {
      if (!named.has(name)) changes.push({ kind, verb: 'remove', name, before })
    }
  }
  return changes
}

/**
 * Carries changes out, the schema first: presets and rules may speak of its fields.
 *
 * @throws CommandError before anything is changed when a field would have to change its kind
 */
export async function applyChanges(store: StoreClient, changes: readonly Change[]): Promise<void> {
  const conflict = changes.find(({ verb }) => verb === 'conflict')
  if (conflict !== undefined) {
    throw new CommandError(
      'incomplete',
      `Field "${conflict.name}" is declared differently, which only a new schema can change: aisle schema set <file> --replace deletes all documents`,
    )
  }
  const fields = changes.flatMap((change) => (change.kind === 'schema' ? [change.field] : []))
  if (fields.length > 0) await store.changeSchema({ fields })
  const settings = changes.flatMap((change) =>
    change.kind === 'settings' ? [[change.name, change.after] as const] : [],
  )
  if (settings.length > 0) await store.changeSettings(Object.fromEntries(settings))
  for (const change of changes) {
    if (change.kind === 'schema' || change.kind === 'settings') continue
    if (change.verb === 'remove') await store.deleteResource(change.kind, change.name)
    else await store.putResource(change.kind, change.name, change.after)
  }
}
