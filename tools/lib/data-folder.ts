import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { REPOSITORY } from '@aisle/testing'

/** A catalog of the data sets: its documents and its schema. */
export interface Catalog {
  readonly name: string
  readonly productsFile: string
  readonly schemaFile: string
}

export const CATALOGS = [
  'amazon_in',
  'crowdflower',
  'homedepot',
  'icecat',
  'pricerunner',
  'retrotech',
] as const

/** The folder of the packed data sets, unless `--data` or `AISLE_DATASETS` overrides it. */
const DEFAULT_DATA = join(REPOSITORY, '..', 'shared', 'data')

/** The folder for unpacked sets: outside of git, kept between runs. */
export const UNPACKED = join(REPOSITORY, 'datasets')

/** The folder in `--data` or `AISLE_DATASETS`, packed or unpacked, or the default. */
export function dataFolder(option: string | undefined): string {
  return resolve(option ?? process.env['AISLE_DATASETS'] ?? DEFAULT_DATA)
}

/**
 * The folder with the unpacked catalogs. A folder with catalogs is used directly; one with
 * `unpack.sh` is first unpacked into `datasets/`, once.
 */
export function unpackedFolder(option: string | undefined): string {
  const folder = dataFolder(option)
  if (isUnpacked(folder)) return folder
  const script = join(folder, 'unpack.sh')
  if (!existsSync(script)) {
    throw new Error(
      `There are no data sets in "${folder}".\n` +
        `They are not part of this repository. Name their folder with --data or AISLE_DATASETS; ` +
        `it must hold unpack.sh, or the unpacked catalogs (${CATALOGS.join(', ')}).`,
    )
  }
  execFileSync('bash', [script, UNPACKED], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (!isUnpacked(UNPACKED)) throw new Error(`"${script}" left no catalogs in "${UNPACKED}"`)
  return UNPACKED
}

/** @param folder an unpacked folder */
export function findCatalog(folder: string, name: string): Catalog {
  const schemaFile = join(folder, name, 'schema.json')
  const productsFile = ['products.jsonl', 'offers.jsonl']
    .map((file) => join(folder, name, file))
    .find((file) => existsSync(file))
  if (productsFile === undefined || !existsSync(schemaFile)) {
    throw new Error(
      `There is no catalog "${name}" in "${folder}": expected one of ${CATALOGS.join(', ')}`,
    )
  }
  return { name, productsFile, schemaFile }
}

function isUnpacked(folder: string): boolean {
  return CATALOGS.some((name) => existsSync(join(folder, name, 'schema.json')))
}
