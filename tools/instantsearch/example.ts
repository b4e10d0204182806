import { readSource } from '../lib/source-files.ts'
import type { LampStores } from './lamp-stores.ts'

/**
 * The block of docs/instantsearch.md with these words after its fence, adapted to a running
 * service.
 */
export function example(words: string, { server, stores }: LampStores): string {
  const blocks = readSource('docs/instantsearch.md').text.matchAll(/^```([\w ]+)\n([^]*?)^```$/gm)
  const [, , block = ''] = Array.from(blocks).find(([, name]) => name === words) ?? []
  return block.replaceAll('https://search.example', server.url).replaceAll('rs_…', stores['lamps']!)
}
