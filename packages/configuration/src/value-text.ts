import { parse, stringify } from 'yaml'

export type ValueFormat = 'json' | 'yaml'

/**
 * Parses JSON or YAML (of which JSON is a subset).
 *
 * @param file its name; one that ends in `.json` must be JSON
 * @throws Error with one line that follows the name of the file
 */
export function parseValue(file: string, content: string): unknown {
  try {
    return file.endsWith('.json') ? JSON.parse(content) : parse(content)
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n')
    throw new Error(`is neither JSON nor YAML: ${line}`, { cause: error })
  }
}

export function valueText(value: unknown, format: ValueFormat): string {
  return format === 'json' ? `${JSON.stringify(value, null, 2)}\n` : stringify(value)
}
