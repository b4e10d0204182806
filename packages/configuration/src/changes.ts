import type { ResourceKind, ResourceValue, SchemaFieldRequest } from '@aisle/client'
import { encodeName } from './configuration-files.ts'
import { isObject } from '@aisle/contract/is-object'
import { differencesOf, isSame, type Difference } from './differences.ts'
import type { StoreConfiguration } from './store-configuration.ts'

/** One step from the state of a store to that of a folder. */
export type Change =
  | {
      readonly kind: 'schema'
      /** `conflict`: documents could not stay. */
      readonly verb: 'add' | 'change' | 'conflict'
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
    const { pattern: wantedPattern, ...after } = field
    const { pattern, ...before } = fields.get(field.name) ?? { name: field.name, type: undefined }
    const isSameField = isSame(after, before)
    // A field that a pattern added is declared from now on.
    const isAdopted = pattern !== undefined && wantedPattern === undefined
    if (before.type === undefined || (isSameField && isAdopted)) {
      changes.push({ kind: 'schema', verb: 'add', name: field.name, field })
    } else if (!isSameField) {
      const verb = kindOf(before.type) === kindOf(field.type) ? 'change' : 'conflict'
      changes.push({ kind: 'schema', verb, name: field.name, before, field })
    }
  }
  for (const [name, after] of Object.entries(wanted.settings ?? {})) {
    const before = store.settings?.[name]
    if (isSame(merged(before, after), before)) continue
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

/** Values, or the kind of object: a field cannot change from one to the other. */
function kindOf(type: SchemaFieldRequest['type']): string {
  return type === 'object' || type === 'object[]' ? type : 'values'
}

/** Whether fields are redefined: then all documents are analysed again. */
export function redefinesFields(changes: readonly Change[]): boolean {
  return changes.some(({ kind, verb }) => kind === 'schema' && verb === 'change')
}

/** The differences that a change makes, member by member. */
export function differencesOfChange(change: Change): Difference[] {
  if (change.verb !== 'change' && change.verb !== 'conflict') return []
  const { before } = change
  if (change.kind === 'schema') return differencesOf(before, change.field)
  if (change.kind === 'settings') return differencesOf(before, merged(before, change.after))
  return differencesOf(before, change.after)
}

/** Like the service, which merges settings: absent members are unchanged. */
function merged(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after
  const members = Object.entries(after).map(([name, value]) => [name, merged(before[name], value)])
  return { ...before, ...Object.fromEntries(members) }
}

/** Path of the file of a change, without extension: `rules/mugs`. */
export function fileOf({ kind, name }: Change): string {
  return kind === 'schema' || kind === 'settings' ? kind : `${kind}/${encodeName(name)}`
}
