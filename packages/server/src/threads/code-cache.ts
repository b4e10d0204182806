import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/** Once the service has been up for so long, what had to be compiled is written down. */
const FLUSH_AFTER_MS = 3_000

/**
 * Keeps compiled code, and TypeScript with its types taken out, in the data folder, where nobody
 * else writes: making it takes half the processor time of a start. Call it before importing what is
 * to be kept, and before threads are started: they find the folder in their environment. Node
 * checks each entry against its source and a checksum; an invalid one is rebuilt. With
 * `NODE_COMPILE_CACHE` set, it is kept there, for several services together.
 *
 * @param dataDir one that was checked: what is refused is left as it is
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

/** Writes down what this thread has compiled by the time it has settled, not only when it ends. */
export function flushCompiledCode(): void {
  setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref()
}
