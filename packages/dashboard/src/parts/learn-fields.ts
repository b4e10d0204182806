import type { SchemaFieldRequest } from '@aisle/contract'
import { likelyIds, propose } from '@aisle/import'
import { openFile } from './import-file.ts'

/** The fields that a file suggests. @throws ImportError when it cannot be read */
export async function learnFields(file: File): Promise<SchemaFieldRequest[]> {
  const { profile } = await openFile(file, {})
  const idColumn = likelyIds(profile)?.column ?? ''
  return [...propose(profile, { mapping: new Map(), idColumn }).fields]
}
