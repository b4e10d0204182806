import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { openApiText } from '../openapi-text.ts'

const FILE = 'packages/server/dist/openapi.json'

/**
 * Writes the answer of `/openapi.json` to a file, for a release. @returns its path from the root
 */
export async function writeOpenApi(): Promise<string> {
  const path = join(REPOSITORY, FILE)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, await openApiText())
  return FILE
}
