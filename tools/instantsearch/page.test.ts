import { suite, test } from 'node:test'
import { launchBrowser } from '../lib/browser.ts'
import { example } from './example.ts'
import { LAMPS, startLampStores } from './lamp-stores.ts'
import { serveShopPage, shows } from './shop-page.ts'

// Goal: the examples of docs/instantsearch.md work unchanged. Method: each runs as the script of a
// page, with the address and secrets of a running service.

suite('docs/instantsearch.md', { timeout: 600_000 }, () => {
  test('the page of InstantSearch.js', async (t) => {
    const lamps = await startLampStores()
    t.after(() => lamps.server.stop())
    const ids = ['box', 'brand', 'price', 'sort', 'hits', 'pages']
    const html = ids.map((id) => `<div id="${id}"></div>`).join('')
    const shop = await serveShopPage(example('js', lamps), () => html)
    t.after(() => shop.close())
    await lamps.allow(shop.origin)
    const browser = await launchBrowser()
    t.after(() => browser.close())
    const page = await browser.newPage()
    await page.goto(shop.origin)
    await page.fill('#box input', 'wall lamp 5')
    await shows(page, '#hits li:first-child', ['Wall lamp 5 22.5'])
    await page.fill('#box input', '')
    await page.selectOption('#sort select', { label: 'Cheapest' })
    await page.fill('#brand input[type=search]', 'glow')
    await page.click('#brand input[value="Glow"]')
    const glow = LAMPS.filter(({ brand }) => brand === 'Glow')
    await shows(
      page,
      '#hits li',
      glow.map(({ title, price }) => `${title} ${price}`),
    )
  })
})
