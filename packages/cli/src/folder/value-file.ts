import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parseValue } from '@aisle/configuration'
import { CommandError } from '../exit-codes.ts'

/**
 * A value from a file of JSON or YAML (which JSON is a part of); `-` is the standard input.
 *
 * @throws CommandError that names the file
 */
export async function readValueFile(file: string, stdin: Readable): Promise<unknown> {
  let content: string
  try {
    content = file === '-' ? await text(stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandError('usage', `Cannot read "${file}": ${(error as Error).message}`)
  }
  try {
    return parseValue(file, content)
  } catch (error) {
    throw new CommandError('usage', `"${file}" ${(error as Error).message}`)
  }
}
