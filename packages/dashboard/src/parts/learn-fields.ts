import type { SchemaFieldRequest } from '@aisle/contract'
import { guessFields, ID_DEFAULT } from '@aisle/import'
import { openFile } from './import-file.ts'

/** The fields that the first rows of a file suggest. @throws ImportError when it cannot be read */
export async function learnFields(file: File): Promise<SchemaFieldRequest[]> {
  const { rows } = await openFile(file, {})
  const options = {
    mapping: new Map<string, string>(),
    idColumn: ID_DEFAULT,
    generateIds: true,
    listSeparator: '|',
  }
  return guessFields(rows, options).map(({ field }) => field)
}
