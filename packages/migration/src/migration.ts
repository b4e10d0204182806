import type { ResourceKind, ResourceValue, SchemaFieldRequest } from '@aisle/client'
import { RESOURCE_KINDS, type StoreConfiguration } from '@aisle/configuration'
import { RESOURCE_NAME_MAX_CHARS } from '@aisle/contract/limits'
import { listOf, objectOf, type Json } from './json.ts'

/** Something that has no equivalent, or comes over changed. */
export interface Note {
  /** Where it stands in the source: `rule summer`, `field location`. */
  readonly about: string
  readonly note: string
}

/** How a value of the source is written in a document. */
export type Conversion = 'date_text' | 'milliseconds' | 'lat_lon' | 'lon_lat' | undefined

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
  /** By path in the flattened source document. */
  readonly targets: ReadonlyMap<string, Target>
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
  readonly #ranking: Record<string, unknown> = {}
  readonly #settings: Record<string, unknown> = {}
  readonly #resources = new Map<ResourceKind, Map<string, ResourceValue>>(
    RESOURCE_KINDS.map((kind) => [kind, new Map()]),
  )
  readonly #notes: Note[] = []
  idMember = 'id'

  note(about: string, note: string): void {
    this.#notes.push({ about, note })
  }

  /** @param notes by setting, for those that are set to something */
  noteSettings(settings: Json, notes: Readonly<Record<string, string>>): void {
    for (const [setting, note] of Object.entries(notes)) {
      const value = settings[setting]
      const size = listOf(value).length + Object.keys(objectOf(value)).length
      if (typeof value === 'string' || size > 0) this.note(setting, note)
    }
  }

  addField({ path, field, convert }: FoundField): void {
    if (path === this.idMember) return
    const name = fieldNameFor(path)
    const before = this.#fields.get(name)
    if (before !== undefined) {
      this.note(`field ${path}`, `is left out: "${name}" is taken by another field`)
      return
    }
    if (name !== path) this.note(`field ${path}`, `is called "${name}"`)
    this.#fields.set(name, { name, ...field })
    this.#targets.set(path, { name, type: field.type, convert })
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
    let text = expression
    for (const [path, { name }] of this.#targets) {
      if (path !== name) text = text.replaceAll(`${path}:`, `${name}:`)
    }
    return text
  }

  setRanking(parameter: string, value: unknown): void {
    this.#ranking[parameter] = value
  }

  setSetting(setting: string, value: unknown): void {
    this.#settings[setting] = value
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
      notes: this.#notes,
    }
  }
}

/** Nested fields become flat ones, and `id` is taken: `brand.name` -> `brand_name`. */
function fieldNameFor(path: string): string {
  const name = path.replaceAll('.', '_')
  return name === 'id' ? 'id_' : name
}

function resourceName(wanted: string): string {
  const clean = wanted.replaceAll(/[^\p{L}\p{N} _\-.:]/gu, '-').slice(0, RESOURCE_NAME_MAX_CHARS)
  return clean.trim() === '' ? 'unnamed' : clean.trim()
}
