import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServerProcess, ThinClient, type StoreKeys } from '@aisle/testing'
import { loadBatches } from '../../tools/lib/bulk-load.ts'
import type { BenchCatalog } from './bench-catalog.ts'

export interface Loaded {
  readonly dataDir: string
  readonly keys: StoreKeys
}

/**
 * A data folder with the whole catalog in a store.
 * @param folder to store it in for the next run; absent: a temporary one
 */
export async function loadedService(
  catalog: BenchCatalog,
  folder: string | undefined,
  onProgress?: (documents: number) => void,
): Promise<Loaded> {
  const note = folder === undefined ? undefined : join(folder, 'loaded.json')
  if (note !== undefined && existsSync(note)) {
    return JSON.parse(readFileSync(note, 'utf8')) as Loaded
  }
  const dataDir = folder === undefined ? undefined : join(folder, 'data')
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true })
  const server = await ServerProcess.start({
    threads: 1,
    ...(dataDir === undefined ? {} : { dataDir }),
  })
  const client = new ThinClient(server.url, { adminToken: server.adminToken })
  try {
    const keys = await client.createStore({ name: 'benchmark' })
    await client.setSchema(keys, { mode: 'replace', fields: catalog.fields })
    const progress = onProgress === undefined ? {} : { onProgress }
    const { failedCount } = await loadBatches(client, keys, catalog.lines(), progress)
    if (failedCount > 0) throw new Error(`${failedCount} documents failed`)
    const made = { dataDir: server.dataDir, keys }
    // Last: an interrupted load must not look like a complete one.
    if (note !== undefined) writeFileSync(note, JSON.stringify(made))
    return made
  } finally {
    client.close()
    await server.stop({ keepData: true })
  }
}
