import { ApiError, isObject, type GivenSettings } from '@aisle/contract'
import type { Analyzer, Schema } from '@aisle/engine'
import { exactJson } from '../../domain/json/json-exact.ts'
import type { ResourceName } from '../../domain/store/resource.ts'
import { checkSettings, mergePatch } from '../../domain/store/store-settings.ts'
import type { Resource, ResourceKind, StoreResources } from '../../ports/catalog/resource-reader.ts'
import { currentSettings, versionResource } from './store-settings.ts'

/** The part of a draft that changes settings: merge patches by their names. */
export type DraftSettings = Readonly<Record<string, unknown>>

/** A checked draft: what publishing it would store. */
export interface CheckedDraft {
  readonly draft: DraftSettings
  /** The current settings with the draft applied. */
  readonly settings: (settings: GivenSettings) => GivenSettings
  readonly puts: readonly Resource[]
  readonly removes: readonly ResourceName[]
}

/** Kinds of resources that a draft may change, by the names of its parts. */
export const DRAFT_KINDS = {
  synonym_sets: 'synonymSet',
  stopword_sets: 'stopwordSet',
  rules: 'rule',
  presets: 'preset',
} as const satisfies Readonly<Record<string, ResourceKind>>

/** Members of the setting `semantic` that a draft may change: others need new vectors. */
const SEMANTIC_MEMBERS: ReadonlySet<string> = new Set(['weight', 'questions', 'min_similarity'])

/** Settings with the patches of a draft. @throws ApiError */
export function draftSettings(
  given: GivenSettings,
  patches: DraftSettings,
  schema: Schema,
  analyzer: Analyzer,
): GivenSettings {
  const names = Object.keys(patches)
  if (names.length === 0) return given
  if (names.includes('semantic')) checkSemanticPatch(given, patches['semantic'])
  return checkSettings(mergePatch(given, patches), new Set(names), schema, analyzer)
}

/** @throws ApiError invalid_parameter */
function checkSemanticPatch({ semantic }: GivenSettings, patch: unknown): void {
  const isPart = isObject(patch) && Object.keys(patch).every((name) => SEMANTIC_MEMBERS.has(name))
  if (isPart && semantic !== undefined) return
  throw new ApiError(
    'invalid_parameter',
    isPart
      ? 'Parameter `semantic` needs the setting `semantic` of the store, which names an embedder'
      : `Parameter \`semantic\` may only have \`${[...SEMANTIC_MEMBERS].join('`, `')}\``,
    { param: 'semantic' },
  )
}

/** A draft as JSON, as it could be sent. */
export function draftJson(
  settings: DraftSettings,
  puts: readonly Resource[],
  removes: readonly ResourceName[],
): string {
  const parts = Object.entries(settings).map(([part, patch]) => member(part, exactJson(patch)))
  for (const [part, kind] of Object.entries(DRAFT_KINDS)) {
    const own = [
      ...puts.flatMap((put) => (put.kind === kind ? member(put.name, put.json) : [])),
      ...removes.flatMap((one) => (one.kind === kind ? member(one.name, 'null') : [])),
    ]
    if (own.length > 0) parts.push(member(part, `{${own.join(',')}}`))
  }
  return `{${parts.join(',')}}`
}

function member(name: string, json: string): string {
  return `${JSON.stringify(name)}:${json}`
}

/** The resources of a store with a draft applied. */
export function draftResources(
  saved: StoreResources,
  { settings, puts, removes }: Omit<CheckedDraft, 'draft'>,
): StoreResources {
  const current = currentSettings(saved)
  const version = versionResource({
    version: current.version + 1,
    settings: settings(current.settings),
  })
  const changes = new Map<string, Resource | undefined>([
    ...[...puts, version].map((put) => [keyOf(put), put] as const),
    ...removes.map((remove) => [keyOf(remove), undefined] as const),
  ])
  const lists = new Map<ResourceKind, readonly Resource[]>()
  const listed = (kind: ResourceKind): readonly Resource[] => {
    const others = saved.list(kind).filter((one) => !changes.has(keyOf(one)))
    const own = [...changes.values()].flatMap((one) => (one?.kind === kind ? one : []))
    return [...others, ...own].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }
  return {
    get: (kind, name) => {
      const key = keyOf({ kind, name })
      return changes.has(key) ? changes.get(key) : saved.get(kind, name)
    },
    list(kind) {
      // The same array each time, because compiled forms are cached by list.
      const list = lists.get(kind) ?? listed(kind)
      lists.set(kind, list)
      return list
    },
  }
}

function keyOf({ kind, name }: ResourceName): string {
  return `${kind} ${name}`
}
