import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'

export interface ShopPage {
  readonly origin: string
  close(): void
}

/**
 * Serves one page at every path, with a script bundled like a shop would bundle it.
 *
 * @param html HTML of the page's body for a request, without the script
 */
export async function serveShopPage(
  script: string,
  html: (path: string) => string | Promise<string> = () => '<div id="app"></div>',
): Promise<ShopPage> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: import.meta.dirname, loader: 'jsx' },
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true' },
    logLevel: 'error',
    write: false,
  })
  const server = createServer((request, response) => {
    if (request.url === '/shop.js') {
      response.setHeader('content-type', 'text/javascript')
      response.end(outputFiles[0]!.text)
      return
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    void Promise.resolve(html(request.url ?? '/')).then((body) =>
      response.end(`<!doctype html>${body}<script type="module" src="/shop.js"></script>`),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Waits until all elements of a selector have these texts. */
export async function shows(
  page: Page,
  selector: string,
  expected: readonly string[],
): Promise<void> {
  let texts: string[] = []
  for (const end = performance.now() + 10_000; performance.now() < end;) {
    texts = (await page.locator(selector).allInnerTexts()).map((text) =>
      text.replaceAll('\u00a0', ' ').replaceAll('\n', ' ').trim(),
    )
    if (texts.join('\n') === expected.join('\n')) return
    await page.waitForTimeout(20)
  }
  assert.deepEqual(texts, expected, selector)
}
