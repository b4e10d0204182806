import { isDeepStrictEqual } from 'node:util'
import type { ResourceKind, ResourceValue, SchemaFieldRequest, StoreClient } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import type { StoreConfiguration } from './settings-folder.ts'

/** One step from what a store has to what a folder says. */
export type Change =
  | {
      readonly kind: 'schema'
      readonly verb: 'add' | 'conflict'
      readonly name: string
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

/** What a service fills in when it is left out. */
const DEFAULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['enabled', true],
  ['priority', 0],
])
const NOTHING: readonly unknown[] = [false, null, '']

/** What must be done so that `store` becomes what `wanted` says. Pure. */
export function changesTo(store: StoreConfiguration, wanted: StoreConfiguration): Change[] {
  const changes: Change[] = []
  const fields = new Map((store.schema ?? []).map((field) => [field.name, field]))
  for (const field of wanted.schema ?? []) {
    const before = fields.get(field.name)
    if (before === undefined) changes.push({ kind: 'schema', verb: 'add', name: field.name, field })
    else if (!isSame(field, before)) {
      changes.push({ kind: 'schema', verb: 'conflict', name: field.name, field })
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

/** Does `present` say what `wanted` says, and beyond that only what it would be anyway? */
function isSame(wanted: unknown, present: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(present) &&
      wanted.length === present.length &&
      wanted.every((one, i) => isSame(one, present[i]))
    )
  }
  if (!isObject(wanted) || !isObject(present)) return isDeepStrictEqual(wanted, present)
  return (
    Object.entries(wanted).every(([key, value]) => isSame(value, present[key] ?? null)) &&
    Object.entries(present).every(
      ([key, value]) => Object.hasOwn(wanted, key) || isDefault(key, value),
    )
  )
}

function isDefault(key: string, value: unknown): boolean {
  if (DEFAULTS.has(key)) return DEFAULTS.get(key) === value
  if (NOTHING.includes(value)) return true
  return isObject(value) || Array.isArray(value) ? Object.keys(value).length === 0 : false
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
