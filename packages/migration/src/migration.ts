import type { ResourceKind, ResourceValue, SchemaFieldRequest } from '@aisle/client'
import { RESOURCE_KINDS, type StoreConfiguration } from '@aisle/configuration'
import { RESOURCE_NAME_MAX_CHARS } from '@aisle/contract/limits'
import type { Json } from './json.ts'
import { memberNotes, notesOf, type KnownSettings } from './known/fate.ts'
import { symbolLists } from './symbols.ts'

/** A note on something that has no equivalent, or changes. */
export interface Note {
  /** Its place in the source: `rule summer`, `field location`. */
  readonly about: string
  readonly note: string
}

/** How a value of the source is converted in a document. */
export type Conversion = 'milliseconds' | 'lat_lon' | 'lon_lat' | 'embeddings' | undefined

/** The field of a document that a path of the source goes to. */
export interface Target {
  readonly name: string
  readonly type: SchemaFieldRequest['type']
  readonly convert: Conversion
}

/** The result of a migration. */
export interface Migration {
  readonly configuration: StoreConfiguration
  /** Member of a source document with its id. */
  readonly idMember: string
  /** Targets by path in the source document. */
  readonly targets: ReadonlyMap<string, Target>
  /** Paths of objects with further members to migrate. */
  readonly patterns: ReadonlySet<string>
  readonly notes: readonly Note[]
}

/** A field found by a translator. */
interface FoundField {
  readonly path: string
  readonly field: Omit<SchemaFieldRequest, 'name'>
  readonly convert?: Conversion
}

/** Collects the results of a translator. */
export class MigrationDraft {
  readonly #fields = new Map<string, SchemaFieldRequest>()
  readonly #targets = new Map<string, Target>()
  readonly #patterns = new Set<string>()
  readonly #ranking: Record<string, unknown> = {}
  readonly #settings: Record<string, unknown> = {}
  readonly #resources = new Map<ResourceKind, Map<string, ResourceValue>>(
    RESOURCE_KINDS.map((kind) => [kind, new Map()]),
  )
  readonly #notes: Note[] = []
  /** The fields that a note is about. */
  readonly #fieldNotes = new Map<string, string[]>()
  /** Default parameters of searches there. */
  readonly #parameters: Record<string, unknown> = {}
  readonly #omitted = new Set<string>()
  idMember = 'id'

  note(about: string, note: string): void {
    this.#notes.push({ about, note })
  }

  /** @param about prefix of the name of a setting: `typoTolerance.` */
  noteSettings(settings: Json, known: KnownSettings, about = ''): void {
    for (const [setting, note] of notesOf(settings, known)) this.note(about + setting, note)
  }

  /** For members of a rule or a synonym, whose notes name the member. */
  noteMembers(about: string, members: Json, known: KnownSettings): void {
    for (const note of memberNotes(members, known)) this.note(about, note)
  }

  /** Merges equal notes on many fields. */
  noteField(path: string, parameters: Json, known: KnownSettings): void {
    for (const [parameter, note] of notesOf(parameters, known)) {
      const text = `\`${parameter}\` ${note}`
      const paths = this.#fieldNotes.get(text) ?? []
      paths.push(path)
      this.#fieldNotes.set(text, paths)
    }
  }

  addField({ path, field, convert }: FoundField): void {
    if (path === this.idMember) return
    const name = fieldNameFor(path)
    if (this.#targets.has(path)) {
      this.note(`field ${path}`, `is left out: "${name}" is taken by another field`)
      return
    }
    const parents = parentsOf(path)
    const taken = parents.find((parent) => this.#isValue(parent))
    if (taken !== undefined) {
      this.note(`field ${path}`, `is left out: "${taken}" is not an object`)
      return
    }
    for (const parent of parents) this.addObject(parent)
    if (name !== path) this.note(`field ${path}`, `is called "${name}"`)
    const { sort, ...others } = field
    const isElement = parents.some((parent) => this.isList(parent))
    const isSorted = sort === true && !isElement
    this.#fields.set(name, { name, ...others, ...(isSorted ? { sort } : {}) })
    this.#targets.set(path, { name, type: field.type, convert })
  }

  /** Adds an object, or a list of them; keeps what is already known about it. */
  addObject(path: string, type: 'object' | 'object[]' = 'object'): void {
    if (this.#targets.has(path)) return
    for (const parent of parentsOf(path)) this.addObject(parent)
    const name = fieldNameFor(path)
    this.#fields.set(name, { name, type })
    this.#targets.set(path, { name, type, convert: undefined })
  }

  /** Adds further members of an object as fields, as documents have them. */
  addPattern(path: string, roles: Pick<SchemaFieldRequest, 'searchable' | 'facet'>): void {
    if (this.#isValue(path) || this.#patterns.has(path)) return
    this.addObject(path)
    const name = `${fieldNameFor(path)}.*`
    this.#patterns.add(path)
    this.#fields.set(name, { name, type: 'auto', ...roles })
  }

  isList(path: string): boolean {
    return this.#targets.get(path)?.type === 'object[]'
  }

  #isValue(path: string): boolean {
    const type = this.#targets.get(path)?.type
    return type !== undefined && !type.startsWith('object')
  }

  /** Limits the documents with the same value that searches show. @param path of the field */
  setDistinct(setting: string, path: string, limit: number): void {
    const field = this.fieldOf(path)
    if (field === undefined || !/^(string|int32|int64|bool)$/.test(field.type)) {
      this.note(setting, `is left out: the documents cannot be grouped by "${path}"`)
      return
    }
    this.#fields.set(field.name, { ...field, facet: true })
    this.setSetting('distinct', { field: field.name, limit })
  }

  /** The field that a path became; undefined if it was not migrated. */
  fieldOf(path: string): SchemaFieldRequest | undefined {
    const target = this.#targets.get(path)
    return target === undefined ? undefined : this.#fields.get(target.name)
  }

  /** The same if it is a facet. */
  facetOf(path: string): string | undefined {
    const field = this.fieldOf(path)
    return field?.facet === true ? field.name : undefined
  }

  /** The name of the field that a path became. */
  nameOf(path: string): string {
    return this.#targets.get(path)?.name ?? fieldNameFor(path)
  }

  /** Renames the fields of a filter or an order. */
  renamed(expression: string): string {
    const name = this.#targets.get('id')?.name
    if (name === undefined) return expression
    const [start = '', ...rest] = expression.split('id:')
    return rest.reduce((text, part) => {
      const isWhole = !/[\p{L}\p{N}_.]/u.test(text.slice(-1))
      return `${text}${isWhole ? name : 'id'}:${part}`
    }, start)
  }

  /** The paths of all fields, including objects. */
  paths(): readonly string[] {
    return [...this.#targets.keys()]
  }

  /** Hides these fields from everyone who searches. */
  omit(path: string): void {
    this.#omitted.add(this.nameOf(path))
  }

  /** Names of the searchable fields. */
  searchedFields(isMeant: (path: string) => boolean): string[] {
    return this.paths()
      .filter(isMeant)
      .flatMap((path) => this.fieldOf(path) ?? [])
      .filter(({ searchable }) => searchable === true)
      .map(({ name }) => name)
  }

  /** Removes roles of a field. */
  withoutRoles(path: string, roles: readonly ('facet' | 'sort')[]): void {
    const field = this.fieldOf(path)
    if (field === undefined) return
    const { facet, sort, ...others } = field
    this.#fields.set(field.name, {
      ...others,
      ...(facet === undefined || roles.includes('facet') ? {} : { facet }),
      ...(sort === undefined || roles.includes('sort') ? {} : { sort }),
    })
  }

  /** A default parameter of searches there. */
  setParameter(parameter: string, value: unknown): void {
    this.#parameters[parameter] = value
  }

  /** A number, if present, at most the maximum of a request. */
  setLimited(parameter: string, setting: string, value: unknown, max: number): void {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) return
    this.setParameter(parameter, Math.min(value, max))
    if (value > max) this.note(setting, `is ${max} instead of ${value}, the maximum`)
  }

  /**
   * Sets the sort order after relevance. Its fields become sortable; a field that cannot be sorted
   * is left out, because it would make the service refuse all settings.
   */
  setOrder(setting: string, orders: readonly (readonly [path: string, direction: string])[]): void {
    const keys: string[] = []
    for (const [path, direction] of orders) {
      const field = this.fieldOf(path)
      const inList = parentsOf(path).some((parent) => this.isList(parent))
      const isOne = field !== undefined && !/\[\]$|^object|^geopoint|^auto$/.test(field.type)
      if (!isOne || inList) {
        this.note(setting, `the order by ${path} is left out: a document may have several values`)
      } else if (keys.length === ORDERS_MAX) {
        this.note(setting, `the order by ${path} is left out: ${ORDERS_MAX} fields are possible`)
      } else {
        this.#fields.set(field.name, { ...field, sort: true })
        keys.push(`${field.name}:${direction}`)
      }
    }
    if (keys.length > 0) this.setRanking('sort_by', ['_text_match:desc', ...keys].join(','))
  }

  setRanking(parameter: string, value: unknown): void {
    this.#ranking[parameter] = value
  }

  setSetting(setting: string, value: unknown): void {
    this.#settings[setting] = value
  }

  /** Characters that are part of words, and those that separate words. */
  setSymbols(symbols: readonly string[], separators: readonly string[]): void {
    const lists = symbolLists(symbols, separators, (text, why) =>
      this.note(`symbol "${text}"`, `is left out: it ${why}`),
    )
    for (const [name, list] of Object.entries(lists)) this.setSetting(name, list)
  }

  /** Adds a preset, rule or set; corrects names that the service would refuse. */
  addResource(kind: ResourceKind, wanted: string, value: ResourceValue): void {
    const named = this.#resources.get(kind)!
    const clean = resourceName(wanted)
    let name = clean
    for (let i = 2; named.has(name); i++) name = resourceName(`${clean.slice(0, 120)}-${i}`)
    if (name !== wanted) this.note(`${kind} ${wanted}`, `is called "${name}"`)
    named.set(name, value)
  }

  finish(): Migration {
    for (const [note, paths] of this.#fieldNotes) this.note(fieldsText(paths), note)
    if (this.#omitted.size > 0) this.setSetting('omit_fields', [...this.#omitted])
    const parameters = Object.keys(this.#parameters)
    if (parameters.length > 0) {
      this.addResource('presets', DEFAULTS_PRESET, { value: this.#parameters })
      this.note(
        `preset ${DEFAULTS_PRESET}`,
        `contains the default search parameters of the source: ${parameters.join(', ')}. Use it in searches: \`preset_name=${DEFAULTS_PRESET}\``,
      )
    }
    const settings = {
      ...this.#settings,
      ...(Object.keys(this.#ranking).length === 0 ? {} : { ranking: this.#ranking }),
    }
    return {
      configuration: {
        schema: [...this.#fields.values()],
        settings: Object.keys(settings).length === 0 ? undefined : settings,
        // Omits empty kinds: `apply --prune` would otherwise empty them.
        resources: new Map([...this.#resources].filter(([, named]) => named.size > 0)),
      },
      idMember: this.idMember,
      targets: this.#targets,
      patterns: this.#patterns,
      notes: this.#notes,
    }
  }
}

/** Name of the preset for default parameters of an index, which searches name here. */
const DEFAULTS_PRESET = 'defaults'
/** Maximum of sort keys besides the relevance. */
const ORDERS_MAX = 7
/** Maximum of fields that a note lists. */
const NAMED_FIELDS_MAX = 20

function fieldsText(paths: readonly string[]): string {
  if (paths.length === 1) return `field ${paths[0]}`
  const more = paths.length - NAMED_FIELDS_MAX
  const named = paths.slice(0, NAMED_FIELDS_MAX).join(', ')
  return more > 0 ? `fields ${named} and ${more} more` : `fields ${named}`
}

/** Fields keep their names, except `id`, which is reserved. */
function fieldNameFor(path: string): string {
  return path === 'id' ? 'id_' : path.startsWith('id.') ? `id_${path.slice(2)}` : path
}

/** The objects that contain a path, the outermost first. */
function parentsOf(path: string): string[] {
  const parts = path.split('.')
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('.'))
}

function resourceName(wanted: string): string {
  const clean = wanted.replaceAll(/[^\p{L}\p{N} _\-.:]/gu, '-').slice(0, RESOURCE_NAME_MAX_CHARS)
  return clean.trim() === '' ? 'unnamed' : clean.trim()
}
