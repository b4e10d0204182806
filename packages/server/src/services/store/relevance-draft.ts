import {
  ApiError,
  DRAFT_RESOURCES_MAX,
  PutRuleRequest,
  PutStopwordSetRequest,
  PutSynonymSetRequest,
  type GivenSettings,
  type TObject,
} from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import type { Analyzer, Schema } from '@aisle/engine'
import { exactJson } from '../../domain/json/json-exact.ts'
import { checkResourceName } from '../../domain/store/resource-name.ts'
import type { ResourceName } from '../../domain/store/resource.ts'
import { checkSettings, mergePatch } from '../../domain/store/store-settings.ts'
import { Gradual, madeInTurns, type Steps, type YieldingWork } from '../../domain/turns/gradual.ts'
import type { Resource, ResourceKind, StoreResources } from '../../ports/catalog/resource-reader.ts'
import { nestedError } from '../nested-error.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { keptRule } from './put-rule.ts'
import { keptStopwordSet, keptSynonymSet } from './put-sets.ts'
import { currentSettings, versionResource } from './store-settings.ts'

/** The part of a draft that changes settings, as merge patches. */
export interface DraftSettings {
  readonly ranking?: unknown
  readonly semantic?: unknown
}

/** A checked draft: what publishing it would store. */
export interface CheckedDraft {
  readonly draft: DraftSettings
  /** The current settings with the draft applied. */
  readonly settings: (settings: GivenSettings) => GivenSettings
  readonly puts: readonly Resource[]
  readonly removes: readonly ResourceName[]
}

type DraftPorts = Pick<ServicePorts, 'resources' | 'backend'>

interface DraftKind {
  readonly kind: Resource['kind']
  readonly request: TObject
  readonly keep: (ports: DraftPorts, storeId: string, name: string, value: never) => Steps<object>
}

/** Parts of a draft that name resources. */
const KINDS: Readonly<Record<string, DraftKind>> = {
  synonym_sets: {
    kind: 'synonymSet',
    request: PutSynonymSetRequest,
    keep: (ports, storeId, _, value) => keptSynonymSet(ports, storeId, value),
  },
  stopword_sets: {
    kind: 'stopwordSet',
    request: PutStopwordSetRequest,
    keep: (ports, storeId, _, value) => keptStopwordSet(ports, storeId, value),
  },
  rules: {
    kind: 'rule',
    request: PutRuleRequest,
    *keep(ports, storeId, name, value) {
      yield
      return keptRule(ports, storeId, name, value)
    },
  },
}

/**
 * Checks a draft in turns: its sets may have thousands of items.
 *
 * @param draft as sent, unchecked
 * @throws ApiError with a parameter that begins with `draft`
 */
export async function checkDraft(
  ports: DraftPorts,
  storeId: string,
  draft: unknown,
  work: YieldingWork,
): Promise<CheckedDraft> {
  const checked = new Gradual(() => check(ports, storeId, draft))
  try {
    await madeInTurns([checked], work)
    return checked.value
  } catch (error) {
    throw error instanceof ApiError ? nestedError('draft', error) : error
  }
}

function* check(ports: DraftPorts, storeId: string, draft: unknown): Steps<CheckedDraft> {
  if (!isObject(draft)) throw new ApiError('invalid_parameter', 'A draft must be a JSON object')
  const puts: Resource[] = []
  const removes: ResourceName[] = []
  for (const [part, value] of Object.entries(draft)) {
    if (part === 'ranking' || part === 'semantic') continue
    const kind = Object.hasOwn(KINDS, part) ? KINDS[part] : undefined
    const entries = isObject(value) ? Object.entries(value) : []
    if (kind === undefined || !isObject(value) || entries.length > DRAFT_RESOURCES_MAX) {
      throw new ApiError(
        'invalid_parameter',
        kind === undefined
          ? `A draft may have only \`ranking\`, \`semantic\`, \`${Object.keys(KINDS).join('`, `')}\``
          : `Parameter \`${part}\` must be an object of at most ${DRAFT_RESOURCES_MAX} members`,
        { param: part.slice(0, PART_MAX_CHARS).toWellFormed() },
      )
    }
    for (const [name, one] of entries) {
      if (one === null) removes.push({ kind: kind.kind, name: checkResourceName(name, part) })
      else puts.push(yield* checkedResource(ports, storeId, part, kind, name, one))
      yield
    }
  }
  const { analyzer, schema = NO_SCHEMA } = openView(ports, storeId)
  const settings = (given: GivenSettings): GivenSettings =>
    draftSettings(given, draft, schema, analyzer)
  settings(currentSettings(ports.resources.of(storeId)).settings)
  const { ranking, semantic } = draft
  const patches = {
    ...(ranking === undefined ? {} : { ranking }),
    ...(semantic === undefined ? {} : { semantic }),
  }
  return { draft: patches, settings, puts, removes }
}

/** Members of the setting `semantic` that a draft may change: others need new vectors. */
const SEMANTIC_MEMBERS: ReadonlySet<string> = new Set(['weight', 'questions', 'min_similarity'])

/** Settings with the patches of a draft. @throws ApiError */
export function draftSettings(
  given: GivenSettings,
  { ranking, semantic }: DraftSettings,
  schema: Schema,
  analyzer: Analyzer,
): GivenSettings {
  if (ranking === undefined && semantic === undefined) return given
  if (semantic !== undefined) {
    const isPart = isObject(semantic) && Object.keys(semantic).every((k) => SEMANTIC_MEMBERS.has(k))
    if (!isPart || given.semantic === undefined) {
      throw new ApiError(
        'invalid_parameter',
        isPart
          ? 'Parameter `semantic` needs the setting `semantic` of the store, which names an embedder'
          : `Parameter \`semantic\` may only have \`${[...SEMANTIC_MEMBERS].join('`, `')}\``,
        { param: 'semantic' },
      )
    }
  }
  const patch = {
    ...(ranking === undefined ? {} : { ranking }),
    ...(semantic === undefined ? {} : { semantic }),
  }
  return checkSettings(mergePatch(given, patch), new Set(Object.keys(patch)), schema, analyzer)
}

function* checkedResource(
  ports: DraftPorts,
  storeId: string,
  part: string,
  { kind, request, keep }: DraftKind,
  name: string,
  value: unknown,
): Steps<Resource> {
  checkResourceName(name, part)
  try {
    const given = parameterReader(request)(value) as never
    yield
    const kept = yield* keep(ports, storeId, name, given)
    yield
    return { kind, name, json: exactJson(kept) }
  } catch (error) {
    throw error instanceof ApiError ? nestedError(`${part}.${name}`, error) : error
  }
}

/** A draft as JSON, as it could be sent. */
export function draftJson(
  settings: DraftSettings,
  puts: readonly Resource[],
  removes: readonly ResourceName[],
): string {
  const parts = Object.entries(settings).map(([part, patch]) => member(part, exactJson(patch)))
  for (const [part, { kind }] of Object.entries(KINDS)) {
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

const PART_MAX_CHARS = 100

function keyOf({ kind, name }: ResourceName): string {
  return `${kind} ${name}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
