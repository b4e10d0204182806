import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { StoreClient } from '@aisle/client'
import { storeServer, type ToolRights } from './store-tools.ts'

/** Serves the tools of a store over standard input and output. @returns stops it */
export function serveStandardStreams(
  store: StoreClient,
  version: string,
  rights: ToolRights,
  onError: (error: Error) => void,
): () => Promise<void> {
  const handle = serveStdio(() => storeServer(store, version, rights), { onerror: onError })
  return () => handle.close()
}
