import { createMcpHandler } from '@modelcontextprotocol/server'
import type { StoreClient } from '@aisle/client'
import { storeServer, type ToolRights } from './store-tools.ts'

/** The caller of a request. */
export interface McpCaller {
  readonly store: StoreClient
  readonly rights: ToolRights
}

interface McpAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

/**
 * Answers requests of the protocol over HTTP (streamable HTTP, without sessions), each with the
 * tools of its caller.
 */
export function serveRequests(
  version: string,
): (request: Request, body: unknown, caller: McpCaller) => Promise<McpAnswer> {
  return async (request, body, { store, rights }) => {
    // One handler per request: the tools depend on the caller.
    const handler = createMcpHandler(() => storeServer(store, version, rights), {
      responseMode: 'json',
      maxSubscriptions: 0,
    })
    try {
      const response = await handler.fetch(request, { parsedBody: body })
      // Older clients are answered in a stream of one event, which closing would cut off.
      const text = await response.text()
      return { status: response.status, contentType: response.headers.get('content-type'), text }
    } finally {
      await handler.close()
    }
  }
}
