import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { REPOSITORY } from '@aisle/testing'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../lib/browser.ts'
import { REACT_PAGE, VUE_PAGE } from './frameworks-pages.ts'
import { LAMPS, startLampStores, type LampStores } from './lamp-stores.ts'
import { serveShopPage, shows } from './shop-page.ts'

// Goal: React InstantSearch and Vue InstantSearch work, including server-side rendering. Method:
// the same small page with each, in a real browser with a running service.

/** Runs in the page. */
declare const window: { failure?: string }

suite('frameworks of InstantSearch', { timeout: 600_000 }, () => {
  let lamps: LampStores
  let browser: Browser
  before(async () => {
    lamps = await startLampStores()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser.close()
    await lamps.server.stop()
  })

  const optionsOf = ({ server, stores }: LampStores) => ({ url: server.url, stores })
  const body = (html: string, state: object) =>
    `<div id="app">${html}</div><script type="application/json" id="state">${JSON.stringify(state).replaceAll('<', '\\u003c')}</script>`

  /** The actions of a visitor, and the expected page. */
  async function use(page: Page): Promise<void> {
    await shows(page, '#stats', ['60 lamps'])
    await page.fill('input[type=search]', 'wall lamp 50')
    await shows(page, '.ais-Hits li:first-child mark', ['Wall', 'lamp', '50'])
    await page.fill('input[type=search]', '')
    await shows(page, '#stats', ['60 lamps'])
    await page.click('.ais-RefinementList-item:has-text("Study") input')
    const study = LAMPS.filter(({ room }) => room === 'Study')
    await shows(page, '#stats', [`${study.length} lamps`])
    await page.selectOption('.ais-SortBy select', { label: 'Cheapest' })
    const titles = study.map(({ title }) => title)
    await shows(page, '.ais-Hits li', titles.slice(0, 5))
    await page.click('.ais-Pagination a:has-text("2")')
    await shows(page, '.ais-Hits li', titles.slice(5, 10))
    assert.equal(await page.evaluate(() => window.failure), undefined)
  }

  test('React InstantSearch', async (t) => {
    const options = optionsOf(lamps)
    // A server state without results: the browser searches.
    const shop = await serveShopPage(
      `${REACT_PAGE.replace('hydrateRoot(', 'mount(')}
      import { createRoot } from 'react-dom/client'
      function mount(element, tree) { createRoot(element).render(tree) }`,
      () => body('', { options }),
    )
    t.after(() => shop.close())
    await lamps.allow(shop.origin)
    const page = await browser.newPage()
    await page.goto(shop.origin)
    await use(page)
  })

  test('React InstantSearch, rendered on a server', async (t) => {
    const options = optionsOf(lamps)
    const { rendered } = (await loaded(REACT_PAGE)) as {
      rendered(given: object): Promise<{ html: string; serverState: object }>
    }
    const shop = await serveShopPage(REACT_PAGE, async () => {
      const { html, serverState } = await rendered(options)
      return body(html, { options, serverState })
    })
    t.after(() => shop.close())
    await lamps.allow(shop.origin)
    const html = await (await fetch(shop.origin)).text()
    assert.match(html, /60(<!-- -->)? lamps/)
    assert.match(html, /Wall lamp 59/)

    const page = await browser.newPage()
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    await page.goto(shop.origin)
    await page.waitForFunction('globalThis.hydrated')
    await shows(page, '#stats', ['60 lamps'])
    await page.waitForTimeout(300)
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/v1')),
      [],
      'what the server has found is not asked again',
    )
    await use(page)
  })

  test('Vue InstantSearch', async (t) => {
    const shop = await serveShopPage(VUE_PAGE, () => body('', { options: optionsOf(lamps) }))
    t.after(() => shop.close())
    await lamps.allow(shop.origin)
    const page = await browser.newPage()
    await page.goto(shop.origin)
    await use(page)
  })
})

/** Bundles a module for Node, like a shop's server would load it. */
async function loaded(script: string): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: import.meta.dirname, loader: 'jsx' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
    write: false,
  })
  const file = join(REPOSITORY, 'node_modules/.cache', 'react-shop-of-test.cjs')
  writeFileSync(file, outputFiles[0]!.contents)
  return await import(pathToFileURL(file).href)
}
