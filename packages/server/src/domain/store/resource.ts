import {
  ApiError,
  COLLECTIONS_MAX,
  EXPERIMENTS_MAX,
  MISSED_DECISIONS_MAX,
  PRESETS_MAX,
  QUERY_SETS_MAX,
  RESOURCES_MAX_BYTES,
  RULES_MAX,
  SETTINGS_VERSIONS_MAX,
  STRATEGIES_MAX,
  STOPWORD_SETS_MAX,
  SYNONYM_REJECTIONS_MAX,
  SYNONYM_SETS_MAX,
} from '@aisle/contract'

/** The kinds of resources of a store, each with its limit and its name in messages. */
const KINDS = {
  /** Versions of the settings; the name of each is its number. */
  settings: { countMax: SETTINGS_VERSIONS_MAX, noun: 'versions of its settings' },
  synonymSet: { countMax: SYNONYM_SETS_MAX, noun: 'synonym sets' },
  stopwordSet: { countMax: STOPWORD_SETS_MAX, noun: 'stopword sets' },
  preset: { countMax: PRESETS_MAX, noun: 'presets' },
  rule: { countMax: RULES_MAX, noun: 'rules' },
  strategy: { countMax: STRATEGIES_MAX, noun: 'strategies' },
  collection: { countMax: COLLECTIONS_MAX, noun: 'collections' },
  querySet: { countMax: QUERY_SETS_MAX, noun: 'query sets' },
  synonymRejection: { countMax: SYNONYM_REJECTIONS_MAX, noun: 'rejected synonyms' },
  /** Missed searches that are fixed or dismissed, by a hash of the query. */
  missedSearch: { countMax: MISSED_DECISIONS_MAX, noun: 'decided missed searches' },
  experiment: { countMax: EXPERIMENTS_MAX, noun: 'experiments' },
  suggestionsConfig: { countMax: 1, noun: 'configurations of its suggestions' },
} as const

export type ResourceKind = keyof typeof KINDS

/**
 * The limit of a kind. During an upgrade of a cluster, newer nodes write kinds that this one does
 * not know: they count by their bytes alone.
 */
function limitOf(kind: string): { readonly countMax: number; readonly noun: string } {
  return Object.hasOwn(KINDS, kind)
    ? KINDS[kind as ResourceKind]
    : { countMax: Infinity, noun: kind }
}

/**
 * One named resource. Immutable: a new version is a new object, so derived values can be cached
 * with it.
 */
export interface Resource {
  readonly kind: ResourceKind
  readonly name: string
  readonly json: string
}

export type ResourceName = Pick<Resource, 'kind' | 'name'>

/** Resources that change together, all or none. */
export interface ResourceChange {
  /**
   * Creates or replaces the resource with that name; with `insert` it must not exist, with
   * `replaces` it must still have that text.
   */
  readonly puts: readonly (Resource & {
    readonly insert?: boolean
    readonly replaces?: string
  })[]
  /** Must exist; with `replaces` it must still have that text. */
  readonly removes: readonly (ResourceName & { readonly replaces?: string })[]
}

/** The resources of one store in memory, at one moment; a change creates a new table. */
export class ResourceTable {
  readonly #kinds: ReadonlyMap<ResourceKind, ReadonlyMap<string, Resource>>
  /** Computed on demand. */
  readonly #lists: Map<ResourceKind, readonly Resource[]>

  private constructor(
    kinds: ReadonlyMap<ResourceKind, ReadonlyMap<string, Resource>>,
    lists: ReadonlyMap<ResourceKind, readonly Resource[]>,
  ) {
    this.#kinds = kinds
    this.#lists = new Map(lists)
  }

  static readonly empty = new ResourceTable(new Map(), new Map())

  static of(resources: readonly Resource[]): ResourceTable {
    return ResourceTable.empty.after({ puts: resources, removes: [] })
  }

  get(kind: ResourceKind, name: string): Resource | undefined {
    return this.#kinds.get(kind)?.get(name)
  }

  /**
   * Lists resources by name, in the order of code units. Tables share the array until one of this
   * kind changes.
   */
  list(kind: ResourceKind): readonly Resource[] {
    let list = this.#lists.get(kind)
    if (list === undefined) {
      const resources = [...(this.#kinds.get(kind)?.values() ?? [])]
      list = resources.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      this.#lists.set(kind, list)
    }
    return list
  }

  all(): Resource[] {
    return [...this.#kinds.values()].flatMap((resources) => [...resources.values()])
  }

  /**
   * Checks that a change fits the table: nothing to insert exists, everything to remove does.
   *
   * @throws ApiError if the store would exceed a limit
   */
  accepts(change: ResourceChange): boolean {
    for (const { kind, name, insert, replaces } of change.puts) {
      const before = this.get(kind, name)
      if (insert === true && before !== undefined) return false
      if (replaces !== undefined && before?.json !== replaces) return false
    }
    for (const { kind, name, replaces } of change.removes) {
      const before = this.get(kind, name)
      if (before === undefined) return false
      if (replaces !== undefined && before.json !== replaces) return false
    }
    this.after(change).#checkSize()
    return true
  }

  after({ puts, removes }: ResourceChange): ResourceTable {
    const changed = new Map<ResourceKind, Map<string, Resource>>()
    const ofKind = (kind: ResourceKind): Map<string, Resource> => {
      let resources = changed.get(kind)
      if (resources === undefined) changed.set(kind, (resources = new Map(this.#kinds.get(kind))))
      return resources
    }
    for (const { kind, name } of removes) ofKind(kind).delete(name)
    for (const { kind, name, json } of puts) ofKind(kind).set(name, { kind, name, json })
    const lists = [...this.#lists].filter(([kind]) => !changed.has(kind))
    return new ResourceTable(new Map([...this.#kinds, ...changed]), new Map(lists))
  }

  #checkSize(): void {
    let bytes = 0
    for (const [kind, resources] of this.#kinds) {
      const { countMax, noun } = limitOf(kind)
      if (resources.size > countMax) {
        throw new ApiError('invalid_parameter', `A store may have at most ${countMax} ${noun}`, {
          param: 'name',
        })
      }
      for (const { json } of resources.values()) bytes += Buffer.byteLength(json)
    }
    if (bytes <= RESOURCES_MAX_BYTES) return
    throw new ApiError(
      'payload_too_large',
      `The settings, sets, presets, rules and collections of a store may total ${RESOURCES_MAX_BYTES} bytes, but these have ${bytes}`,
    )
  }
}
