import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parse, stringify } from 'yaml'
import { CommandError } from '../exit-codes.ts'

export type ValueFormat = 'json' | 'yaml'

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
    return file.endsWith('.json') ? JSON.parse(content) : parse(content)
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n')
    throw new CommandError('usage', `"${file}" is neither JSON nor YAML: ${line}`)
  }
}

export function valueText(value: unknown, format: ValueFormat): string {
  return format === 'json' ? `${JSON.stringify(value, null, 2)}\n` : stringify(value)
}
