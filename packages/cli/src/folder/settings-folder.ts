import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  configurationOf,
  ConfigurationFilesError,
  filesOf,
  isConfigurationFile,
  RESOURCE_KINDS,
  siblingsOf,
} from '@aisle/configuration'
import type { StoreConfiguration, ValueFormat } from '@aisle/configuration'
import { CommandError } from '../exit-codes.ts'
import { editorSchemas } from './editor-schemas.ts'

/** Schemas for editors; hidden, so that it is not part of a configuration. */
const SCHEMAS = '.schemas'

/**
 * Writes this configuration to the folder, and removes older parts of it. A folder that has schemas
 * for editors keeps them, as they are today.
 *
 * @returns the number of files, without schemas
 */
export function writeConfiguration(
  folder: string,
  configuration: StoreConfiguration,
  format: ValueFormat,
  withSchemas = false,
): number {
  const place = join(folder, SCHEMAS)
  const hasSchemas = withSchemas || existsSync(place)
  if (hasSchemas) {
    mkdirSync(place, { recursive: true })
    for (const [name, text] of editorSchemas()) writeFileSync(join(place, name), text)
  }
  const files = filesOf(configuration, format, hasSchemas ? SCHEMAS : undefined)
  for (const place of ['', ...configuration.resources.keys()]) {
    mkdirSync(join(folder, place), { recursive: true })
  }
  const older = pathsIn(folder).filter((path) => {
    const [kind, name] = path.split('/')
    // The top level only has the files that are rewritten; a folder of a kind has no other files.
    return name === undefined
      ? siblingsOf(path).some((sibling) => files.has(sibling))
      : configuration.resources.has(kind as (typeof RESOURCE_KINDS)[number])
  })
  for (const path of older) if (!files.has(path)) rmSync(join(folder, path))
  for (const [path, text] of files) writeFileSync(join(folder, path), text)
  return files.size
}

/** @throws CommandError that names the files which are wrong */
export function readConfiguration(folder: string): StoreConfiguration {
  if (!existsSync(folder)) throw new CommandError('usage', `There is no folder "${folder}"`)
  const files = new Map(
    pathsIn(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )
  try {
    // An empty folder means that there are none of its kind.
    return configurationOf(
      files,
      RESOURCE_KINDS.filter((kind) => existsSync(join(folder, kind))),
    )
  } catch (error) {
    if (!(error instanceof ConfigurationFilesError)) throw error
    const lines = error.faults.map(({ file, message }) => `"${join(folder, file)}" ${message}`)
    throw new CommandError('usage', lines.join('\n'), { cause: error })
  }
}

/** Paths of the files of a configuration, with `/` between their parts. */
function pathsIn(folder: string): string[] {
  return ['', ...RESOURCE_KINDS]
    .flatMap((place) => {
      const path = join(folder, place)
      if (!existsSync(path)) return []
      const entries = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile())
      return entries.map(({ name }) => (place === '' ? name : `${place}/${name}`))
    })
    .filter(isConfigurationFile)
}
