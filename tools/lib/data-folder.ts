import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { REPOSITORY } from '@aisle/testing'

/** A catalog of the data sets: where its documents and its schema are. */
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

/** Where the packed data sets are, unless `--data` or `AISLE_DATASETS` says otherwise. */
const DEFAULT_DATA = join(REPOSITORY, '..', 'shared', 'data')

/** Where packed sets are unpacked to: outside of git, kept between runs. */
export const UNPACKED = join(REPOSITORY, 'datasets')

/** The folder that `--data` or `AISLE_DATASETS` names, packed or unpacked, or the default. */
export function dataFolder(option: string | undefined): string {
  return resolve(option ?? process.env['AISLE_DATASETS'] ?? DEFAULT_DATA)
}

/**
 * The folder with the unpacked catalogs. A folder that holds catalogs is used as it is; one with
 * `unpack.sh` is unpacked into `datasets/` first, which happens once.
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
