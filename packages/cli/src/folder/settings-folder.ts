import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { RefusedError, settingsToSet } from '@aisle/client'
import type { ResourceKind, ResourceValue, SchemaFieldRequest, StoreClient } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import { readValueFile, valueText } from './value-file.ts'
import type { ValueFormat } from './value-file.ts'

const RESOURCE_KINDS = [
  'presets',
  'rules',
  'synonym-sets',
  'stopword-sets',
] as const satisfies readonly ResourceKind[]

/**
 * How a store behaves, without its documents and secrets. As a folder:
 *
 *     schema.yaml  settings.yaml  presets/<name>.yaml  rules/<id>.yaml  synonym-sets/…  stopword-sets/…
 *
 * Each file is JSON or YAML; names are percent-encoded where a file name cannot hold them. What is
 * not there is not spoken of: a folder without `rules/` leaves rules alone.
 */
export interface StoreConfiguration {
  readonly schema: readonly SchemaFieldRequest[] | undefined
  readonly settings: ResourceValue | undefined
  readonly resources: ReadonlyMap<ResourceKind, ReadonlyMap<string, ResourceValue>>
}

/** The configuration of a store, without kinds that its service does not know. */
export async function fetchConfiguration(store: StoreClient): Promise<StoreConfiguration> {
  const resources = new Map<ResourceKind, ReadonlyMap<string, ResourceValue>>()
  for (const kind of RESOURCE_KINDS) {
    const found = await unlessUnknown(store.resources(kind))
    if (found === undefined) continue
    resources.set(kind, new Map(found.map(({ name, value }) => [name, value])))
  }
  const settings = await unlessUnknown(store.settings())
  return {
    schema: (await store.schema()).fields,
    settings: settings === undefined ? undefined : settingsToSet(settings),
    resources,
  }
}

async function unlessUnknown<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'route_not_found') return undefined
    throw error
  }
}

/** Writes this configuration to the folder, and removes older parts of it. */
export function writeConfiguration(
  folder: string,
  { schema, settings, resources }: StoreConfiguration,
  format: ValueFormat,
): number {
  mkdirSync(folder, { recursive: true })
  let files = 0
  const write = (path: string, value: unknown): void => {
    for (const ending of ENDINGS) rmSync(join(folder, path + ending), { force: true })
    writeFileSync(join(folder, `${path}.${format}`), valueText(value, format))
    files++
  }
  if (schema !== undefined) write('schema', { fields: schema })
  if (settings !== undefined) write('settings', settings)
  for (const [kind, named] of resources) {
    mkdirSync(join(folder, kind), { recursive: true })
    for (const { name, file } of filesOf(join(folder, kind))) {
      if (!named.has(name)) rmSync(join(folder, kind, file))
    }
    for (const [name, value] of named) write(join(kind, encodeName(name)), value)
  }
  return files
}

/** @throws CommandError that names the file which is wrong */
export async function readConfiguration(folder: string): Promise<StoreConfiguration> {
  if (!existsSync(folder)) throw new CommandError('usage', `There is no folder "${folder}"`)
  const resources = new Map<ResourceKind, ReadonlyMap<string, ResourceValue>>()
  for (const kind of RESOURCE_KINDS) {
    const path = join(folder, kind)
    if (!existsSync(path)) continue
    const named = new Map<string, ResourceValue>()
    for (const { name, file } of filesOf(path)) {
      if (named.has(name)) throw new CommandError('usage', `"${name}" stands twice in "${path}"`)
      named.set(name, await readObjectFile(join(path, file)))
    }
    resources.set(kind, named)
  }
  const top = new Map(filesOf(folder).map(({ name, file }) => [name, join(folder, file)]))
  const schemaFile = top.get('schema')
  const schema = schemaFile === undefined ? undefined : await readObjectFile(schemaFile)
  if (schema !== undefined && !Array.isArray(schema['fields'])) {
    throw new CommandError('usage', `"${schemaFile}" must have a list \`fields\``)
  }
  const settingsFile = top.get('settings')
  return {
    schema: schema?.['fields'] as SchemaFieldRequest[] | undefined,
    settings: settingsFile === undefined ? undefined : await readObjectFile(settingsFile),
    resources,
  }
}

const ENDINGS = ['.yaml', '.yml', '.json']

function filesOf(folder: string): { name: string; file: string }[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && ENDINGS.some((ending) => entry.name.endsWith(ending)))
    .map(({ name: file }) => ({
      file,
      name: decodeURIComponent(file.slice(0, file.lastIndexOf('.'))),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A name that starts with a dot would be hidden, or lead out of the folder. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/^\./, '%2E')
}

async function readObjectFile(file: string): Promise<Record<string, unknown>> {
  const value = await readValueFile(file, Readable.from([]))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new CommandError('usage', `"${file}" must hold an object`)
}
