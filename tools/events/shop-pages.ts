import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The modules of stock browser clients, as published in their packages. */
const CLIENTS = {
  segment: '@segment/analytics-next/dist/umd/index.js',
  rudderstack: '@rudderstack/analytics-js/dist/npm/modern/bundled/umd/index.js',
  jitsu: '@jitsu/js/dist/jitsu.es.js',
} as const

/**
 * The client of a page: a script that creates a global, or a module that is made a global, `jitsu`.
 */
const TAGS: Readonly<Record<string, string>> = {
  segment: '<script src="/segment.js"></script>',
  rudderstack: '<script src="/rudderstack.js"></script>',
  jitsu: '<script type="module">import * as all from "/jitsu.js"; window.jitsu = all</script>',
}

export interface ShopPages {
  /** `none` is a page without a client. */
  urlOf(client: keyof typeof CLIENTS | 'none'): string
  close(): void
}

/** Pages of a shop on a separate origin, each with one stock client as a script. */
export async function serveShopPages(): Promise<ShopPages> {
  const modules = new URL('../../node_modules/', import.meta.url)
  const server = createServer((request, response) => {
    const [, client = '', script] = /^\/(\w+)(\.js)?$/.exec(request.url ?? '') ?? []
    if (script !== undefined && client in CLIENTS) {
      response.setHeader('content-type', 'text/javascript')
      response.end(readFileSync(new URL(CLIENTS[client as keyof typeof CLIENTS], modules)))
      return
    }
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Shop</title>${TAGS[client] ?? ''}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (client) => `http://127.0.0.1:${port}/${client}`,
    close: () => server.close(),
  }
}
