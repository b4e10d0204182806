import type { ResourceKind, ResourceValue, SchemaFieldRequest } from '@aisle/client'
import { isObject } from '@aisle/contract/is-object'
import { RESOURCE_KINDS, type StoreConfiguration } from './store-configuration.ts'
import { parseValue, valueText, type ValueFormat } from './value-text.ts'

/**
 * Writes a configuration as files, by path:
 *
 *     schema.yaml  settings.yaml  collections/<name>.yaml  presets/<name>.yaml
 *     strategies/<name>.yaml  rules/<id>.yaml  synonym-sets/…  stopword-sets/…  query-sets/…
 *
 * Each is JSON or YAML; names are percent-encoded where needed. Missing files leave that part
 * unchanged: without `rules/`, rules stay as they are.
 *
 * @param schemas a sibling folder with a JSON schema per kind, which the files name for editors
 */
export function filesOf(
  { schema, settings, resources }: StoreConfiguration,
  format: ValueFormat,
  schemas?: string,
): Map<string, string> {
  const files = new Map<string, string>()
  const add = (path: string, value: object): void => {
    const [kind, name] = path.split('/')
    const schema = `${name === undefined ? './' : '../'}${schemas}/${kind}.json`
    files.set(
      `${path}.${format}`,
      schemas === undefined ? valueText(value, format) : withSchema(value, format, schema),
    )
  }
  // Fields that a pattern added are created again when needed.
  const fields = schema?.filter(({ pattern }) => pattern === undefined)
  if (fields !== undefined) add('schema', { fields })
  if (settings !== undefined) add('settings', settings)
  for (const [kind, named] of resources) {
    for (const [name, value] of named) add(`${kind}/${encodeName(name)}`, value)
  }
  return files
}

/** The reference to the schema, where editors look for it: a key in JSON, a comment in YAML. */
function withSchema(value: object, format: ValueFormat, schema: string): string {
  return format === 'json'
    ? valueText({ $schema: schema, ...value }, format)
    : `# yaml-language-server: $schema=${schema}\n${valueText(value, format)}`
}

/** All faults in the files of a configuration, not just the first. */
export class ConfigurationFilesError extends Error {
  override readonly name = 'ConfigurationFilesError'
  readonly faults: readonly FileFault[]

  constructor(faults: readonly FileFault[]) {
    super(faults.map(({ file, message }) => `"${file}" ${message}`).join('\n'))
    this.faults = faults
  }
}

interface FileFault {
  readonly file: string
  /** Follows the name of the file: `must contain an object`. */
  readonly message: string
}

/**
 * Reads a configuration from files, by path; ignores files that are not part of it.
 *
 * @param kinds that are present without files: an empty folder means that there are none
 * @throws ConfigurationFilesError
 */
export function configurationOf(
  files: ReadonlyMap<string, string>,
  kinds: readonly ResourceKind[] = [],
): StoreConfiguration {
  const faults: FileFault[] = []
  const resources = new Map<ResourceKind, Map<string, ResourceValue>>(
    kinds.map((kind) => [kind, new Map()]),
  )
  let schema: SchemaFieldRequest[] | undefined
  let settings: ResourceValue | undefined
  const seen = new Set<string>()
  for (const [file, content] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    try {
      const place = placeOf(file)
      if (place === undefined) continue
      const { kind, name } = place
      if (seen.has(`${kind}/${name}`)) throw new Error(`is a second file of "${name}"`)
      seen.add(`${kind}/${name}`)
      const parsed = parseValue(file, content)
      if (!isObject(parsed)) throw new Error('must contain an object')
      // For editors, not for the service.
      const { $schema: _, ...value } = parsed
      if (kind === 'schema') {
        if (!isFieldList(value['fields'])) throw new Error('must have a list `fields`')
        schema = value['fields']
      } else if (kind === 'settings') settings = value
      else resources.set(kind, (resources.get(kind) ?? new Map()).set(name, value))
    } catch (error) {
      faults.push({ file, message: (error as Error).message })
    }
  }
  if (faults.length > 0) throw new ConfigurationFilesError(faults)
  return { schema, settings, resources }
}

/** Whether a path is that of a configuration file, whatever its content. */
export function isConfigurationFile(path: string): boolean {
  const at = path.lastIndexOf('.')
  if (!ENDINGS.includes(path.slice(at))) return false
  const stem = path.slice(0, at)
  return stem === 'schema' || stem === 'settings' || kindOf(stem) !== undefined
}

/** Paths of the same file in every format, including itself. */
export function siblingsOf(path: string): string[] {
  return ENDINGS.map((ending) => path.slice(0, path.lastIndexOf('.')) + ending)
}

interface Place {
  readonly kind: ResourceKind | 'schema' | 'settings'
  readonly name: string
}

/** @throws Error if a name is not well encoded */
function placeOf(path: string): Place | undefined {
  if (!isConfigurationFile(path)) return undefined
  const stem = path.slice(0, path.lastIndexOf('.'))
  if (stem === 'schema' || stem === 'settings') return { kind: stem, name: stem }
  try {
    return { kind: kindOf(stem)!, name: decodeURIComponent(stem.slice(stem.indexOf('/') + 1)) }
  } catch (error) {
    throw new Error('has a name with invalid percent-encoding', { cause: error })
  }
}

function kindOf(stem: string): ResourceKind | undefined {
  const [folder, name, ...more] = stem.split('/')
  // A hidden file belongs to another program.
  if (name === undefined || /^\.|^$/.test(name) || more.length > 0) return undefined
  return RESOURCE_KINDS.find((kind) => kind === folder)
}

function isFieldList(value: unknown): value is SchemaFieldRequest[] {
  return Array.isArray(value) && value.every(isObject)
}

const ENDINGS = ['.yaml', '.yml', '.json']

/** A name that starts with a dot would be hidden, or leave the folder. */
export function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/^\./, '%2E')
}
