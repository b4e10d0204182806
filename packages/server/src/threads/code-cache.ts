import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/** Uptime of the service after which newly compiled code is written to the cache. */
const FLUSH_AFTER_MS = 3_000

/**
 * Caches compiled code, and TypeScript with its types stripped, in the data folder, where nobody
 * else writes, because compiling takes half the processor time of a start. Call it before importing
 * the code to be cached, and before threads are started: they find the folder in their environment.
 * Node checks each entry against its source and a checksum; an invalid one is rebuilt. With
 * `NODE_COMPILE_CACHE` set, that folder is used, which several services can share.
 *
 * @param dataDir a checked folder: a refused one must stay unchanged
 * @param environment of the process, which threads inherit
 */
export function keepCompiledCode(dataDir: string, environment: NodeJS.ProcessEnv): void {
  if (environment['NODE_COMPILE_CACHE'] === undefined) {
    const folder = join(dataDir, 'code')
    enableCompileCache(folder)
    environment['NODE_COMPILE_CACHE'] = folder
  }
  flushCompiledCode()
}

/** Writes the code that this thread has compiled once it has settled, not only when it ends. */
export function flushCompiledCode(): void {
  setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref()
}
