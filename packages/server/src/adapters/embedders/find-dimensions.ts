import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbedderUnavailable } from '../../ports/search/embedder.ts'
import type {
  EmbedderConfig,
  EndpointConfig,
  FolderConfig,
} from '../../ports/search/embedder-config.ts'
import { requestAnswer } from './endpoint-request.ts'
import { firstWordLength } from './word-table.ts'

/** Names of the width in configurations of models. */
const WIDTHS = ['hidden_size', 'd_model', 'dim', 'n_embd']

/**
 * The number of dimensions of an embedder, whatever its configuration says.
 *
 * @throws EmbedderUnavailable if it cannot be found
 */
export async function findDimensions(config: EmbedderConfig): Promise<number> {
  const found =
    config.kind === 'endpoint'
      ? await ofEndpoint(config)
      : config.kind === 'folder'
        ? ofFolder(config)
        : await firstWordLength(config.path)
  if (found !== undefined) return found
  throw new EmbedderUnavailable(
    'Cannot determine the number of dimensions: set it with --dimensions',
  )
}

async function ofEndpoint(config: EndpointConfig): Promise<number | undefined> {
  const { signal } = new AbortController()
  try {
    const text = await requestAnswer(config, ['a'], config.timeoutMs, signal)
    const { data } = JSON.parse(text) as { data?: readonly { embedding?: unknown }[] }
    const embedding = data?.[0]?.embedding
    return Array.isArray(embedding) ? embedding.length : undefined
  } catch (error) {
    throw new EmbedderUnavailable(`${config.url}: ${(error as Error).message}`, { cause: error })
  }
}

function ofFolder({ path }: FolderConfig): number | undefined {
  try {
    const text = readFileSync(join(path, 'config.json'), 'utf8')
    const config = JSON.parse(text) as Record<string, unknown>
    const width = WIDTHS.map((name) => config[name]).find((value) => Number.isInteger(value))
    return width as number | undefined
  } catch {
    return undefined
  }
}
