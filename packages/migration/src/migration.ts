import type { ResourceKind, ResourceValue, SchemaFieldRequest } from '@aisle/client'
import { RESOURCE_KINDS, type StoreConfiguration } from '@aisle/configuration'
import { RESOURCE_NAME_MAX_CHARS } from '@aisle/contract/limits'
import type { Json } from './json.ts'
import { memberNotes, notesOf, type KnownSettings } from './known/fate.ts'
import { symbolLists } from './symbols.ts'

/** Something that has no equivalent, or comes over changed. */
export interface Note {
  /** Where it stands in the source: `rule summer`, `field location`. */
  readonly about: string
  readonly note: string
}

/** How a value of the source is written in a document. */
export type Conversion = 'milliseconds' | 'lat_lon' | 'lon_lat' | undefined

/** Which field of a document a path of the source goes to. */
export interface Target {
  readonly name: string
  readonly type: SchemaFieldRequest['type']
  readonly convert: Conversion
}

/** What a catalog of another engine becomes. */
export interface Migration {
  readonly configuration: StoreConfiguration
  /** Member of a source document that holds its id. */
  readonly idMember: string
  /** By path in the source document. */
  readonly targets: ReadonlyMap<string, Target>
  /** Paths of objects whose further members come over too. */
  readonly patterns: ReadonlySet<string>
  readonly notes: readonly Note[]
}

/** A field as a translator found it. */
interface FoundField {
  readonly path: string
  readonly field: Omit<SchemaFieldRequest, 'name'>
  readonly convert?: Conversion
}

/** Collects what a translator finds. */
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
  /** What searches said there by default. */
  readonly #parameters: Record<string, unknown> = {}
  readonly #omitted = new Set<string>()
  idMember = 'id'

  note(about: string, note: string): void {
    this.#notes.push({ about, note })
  }

  /** @param about what is before the name of a setting: `typoTolerance.` */
  noteSettings(settings: Json, known: KnownSettings, about = ''): void {
    for (const [setting, note] of notesOf(settings, known)) this.note(about + setting, note)
  }

  /** For members of a rule or a synonym, whose notes name the member. */
  noteMembers(about: string, members: Json, known: KnownSettings): void {
    for (const note of memberNotes(members, known)) this.note(about, note)
  }

  /** Of many fields the same is said once. */
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
      this.note(`field ${path}`, `is left out: "${taken}" is no object`)
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

  /** An object, or a list of them; what is known of it already stays so. */
  addObject(path: string, type: 'object' | 'object[]' = 'object'): void {
    if (this.#targets.has(path)) return
    for (const parent of parentsOf(path)) this.addObject(parent)
    const name = fieldNameFor(path)
    this.#fields.set(name, { name, type })
    this.#targets.set(path, { name, type, convert: undefined })
  }

  /** Members of an object that are not known come over as fields too, as documents bring them. */
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

  /** Of documents with the same value, searches show so many. @param path of the field */
  setDistinct(setting: string, path: string, limit: number): void {
    const field = this.fieldOf(path)
    if (field === undefined || !/^(string|int32|int64|bool)$/.test(field.type)) {
      this.note(setting, `is left out: the documents cannot be grouped by "${path}"`)
      return
    }
    this.#fields.set(field.name, { ...field, facet: true })
    this.setSetting('distinct', { field: field.name, limit })
  }

  /** The field that a path went to; undefined when it did not come over. */
  fieldOf(path: string): SchemaFieldRequest | undefined {
    const target = this.#targets.get(path)
    return target === undefined ? undefined : this.#fields.get(target.name)
  }

  /** The name of the field that a path goes to. */
  nameOf(path: string): string {
    return this.#targets.get(path)?.name ?? fieldNameFor(path)
  }

  /** A filter or an order whose fields are called by their new names. */
  renamed(expression: string): string {
    const name = this.#targets.get('id')?.name
    if (name === undefined) return expression
    const [start = '', ...rest] = expression.split('id:')
    return rest.reduce((text, part) => {
      const isWhole = !/[\p{L}\p{N}_.]/u.test(text.slice(-1))
      return `${text}${isWhole ? name : 'id'}:${part}`
    }, start)
  }

  /** The paths of all fields, objects included. */
  paths(): readonly string[] {
    return [...this.#targets.keys()]
  }

  /** Nobody who searches is shown these fields. */
  omit(path: string): void {
    this.#omitted.add(this.nameOf(path))
  }

  /** Names of the fields that have words to search. */
  searchedFields(isMeant: (path: string) => boolean): string[] {
    return this.paths()
      .filter(isMeant)
      .flatMap((path) => this.fieldOf(path) ?? [])
      .filter(({ searchable }) => searchable === true)
      .map(({ name }) => name)
  }

  /** A field without some of its roles. */
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

  /** A parameter that searches have there unless they say something else. */
  setParameter(parameter: string, value: unknown): void {
    this.#parameters[parameter] = value
  }

  /** A number that is there, at most the largest that a request may have. */
  setLimited(parameter: string, setting: string, value: unknown, max: number): void {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) return
    this.setParameter(parameter, Math.min(value, max))
    if (value > max) this.note(setting, `is ${max} instead of ${value}, the most that is possible`)
  }

  /**
   * The order of results behind their relevance. Its fields become sortable; where one cannot, the
   * service would refuse all settings, so it is left out.
   */
  setOrder(setting: string, orders: readonly (readonly [path: string, direction: string])[]): void {
    const keys: string[] = []
    for (const [path, direction] of orders) {
      const field = this.fieldOf(path)
      const inList = parentsOf(path).some((parent) => this.isList(parent))
      const isOne = field !== undefined && !/\[\]$|^object|^geopoint|^auto$/.test(field.type)
      if (!isOne || inList) {
        this.note(setting, `the order by ${path} is left out: it is no single value of a document`)
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

  /** Characters that are part of words, and that are like a space. */
  setSymbols(symbols: readonly string[], separators: readonly string[]): void {
    const lists = symbolLists(symbols, separators, (text, why) =>
      this.note(`symbol "${text}"`, `is left out: it ${why}`),
    )
    for (const [name, list] of Object.entries(lists)) this.setSetting(name, list)
  }

  /** Adds a preset, rule or set; names that the service would refuse are mended. */
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
        `has what searches said there by default: ${parameters.join(', ')}. Searches name it: \`preset_name=${DEFAULTS_PRESET}\``,
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
        // A kind without any is not spoken of: else `apply --prune` would empty it.
        resources: new Map([...this.#resources].filter(([, named]) => named.size > 0)),
      },
      idMember: this.idMember,
      targets: this.#targets,
      patterns: this.#patterns,
      notes: this.#notes,
    }
  }
}

/** The preset of what an index said by default, and searches say here. */
const DEFAULTS_PRESET = 'defaults'
/** Keys of an order, besides the relevance. */
const ORDERS_MAX = 7
/** Fields that a note names. */
const NAMED_FIELDS_MAX = 20

function fieldsText(paths: readonly string[]): string {
  if (paths.length === 1) return `field ${paths[0]}`
  const more = paths.length - NAMED_FIELDS_MAX
  const named = paths.slice(0, NAMED_FIELDS_MAX).join(', ')
  return more > 0 ? `fields ${named} and ${more} more` : `fields ${named}`
}

/** Fields keep their names, but `id` is taken. */
function fieldNameFor(path: string): string {
  return path === 'id' ? 'id_' : path.startsWith('id.') ? `id_${path.slice(2)}` : path
}

/** The objects that a path is inside of, the outermost first. */
function parentsOf(path: string): string[] {
  const parts = path.split('.')
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('.'))
}

function resourceName(wanted: string): string {
  const clean = wanted.replaceAll(/[^\p{L}\p{N} _\-.:]/gu, '-').slice(0, RESOURCE_NAME_MAX_CHARS)
  return clean.trim() === '' ? 'unnamed' : clean.trim()
}
