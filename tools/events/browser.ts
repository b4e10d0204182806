import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import chromium from '@sparticuz/chromium'
import { chromium as driver, type Browser } from 'playwright-core'

/** A headless Chromium out of a package; on systems that it is not made for, the Chrome that is installed. */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== 'linux') return await driver.launch({ channel: 'chrome' })
  return await driver.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args,
  })
}

/** A page of a shop, on an origin of its own, with Segment's client as a script. */
export async function serveShopPage(): Promise<{ url: string; close(): void }> {
  const script = readFileSync(
    new URL('umd/index.js', import.meta.resolve('@segment/analytics-next/dist/')),
  )
  const server = createServer((request, response) => {
    const isScript = request.url === '/analytics.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><script src="/analytics.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}
