import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../lib/browser.ts'
import { LAMPS, startLampStores, type LampStores } from './lamp-stores.ts'
import { serveShopPage, shows, type ShopPage } from './shop-page.ts'
import { RARE_WIDGETS_PAGE } from './widgets-page.ts'

// Goal: rare widgets work too. Method: as in widgets.test.ts; speech comes from a fake recognizer
// in the page.

/** Runs in the page. */
declare const window: {
  start(options: object): void
  say(transcript: string): void
  failure?: string
  warned: string[]
  pushed: string[]
}

suite('rare widgets of InstantSearch.js', { timeout: 600_000 }, () => {
  let lamps: LampStores
  let shop: ShopPage
  let browser: Browser
  let page: Page

  before(async () => {
    lamps = await startLampStores()
    shop = await serveShopPage(RARE_WIDGETS_PAGE)
    await lamps.allow(shop.origin)
    browser = await launchBrowser()
    page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(10_000)
    await page.goto(shop.origin)
    const options = { url: lamps.server.url, stores: lamps.stores }
    await page.evaluate((given) => window.start(given), options)
    await page.waitForSelector('#hits li')
  })
  after(async () => {
    await browser.close()
    shop.close()
    await lamps.server.stop()
  })
  const search = (q: string) => page.fill('#box input', q)
  const found = (count: number) => shows(page, '#stats .ais-Stats-text', [`${count} lamps`])

  test('panel: header, footer, collapsed and hidden by the results', async () => {
    await shows(page, '#room .ais-Panel-header', ['Room of 60'])
    await shows(page, '#room .ais-Panel-footer', ['all rooms'])
    await search('desk')
    await page.waitForSelector('#room .ais-Panel--collapsed')
    await search('zzqxv')
    await page.waitForSelector('#room .ais-Panel[hidden]', { state: 'attached' })
    await search('')
    await found(60)
    await page.waitForSelector('#room .ais-Panel:not([hidden])')
  })

  test('voiceSearch: searches the spoken text', async () => {
    await page.click('#voice button')
    await page.evaluate(() => window.say('wall lamp'))
    const walls = LAMPS.filter(({ title }) => title.startsWith('Wall'))
    await shows(page, '#hits li:first-child', [walls.at(-1)!.title])
    assert.equal(await page.inputValue('#box input'), 'wall lamp')
    await search('')
    await found(60)
  })

  test('queryRuleContext: a rule for a chosen filter', async () => {
    await page.click('#room input[value="Study"]')
    await shows(page, '#banner', [JSON.stringify([{ theme: 'study' }])])
    await page.click('#room input[value="Study"]')
    await shows(page, '#banner', ['[]'])
  })

  test('autocomplete: products of another store below a box', async () => {
    const box = page.locator('#complete input')
    await box.click()
    await box.fill('guide 7')
    await page.waitForSelector('#complete [role=row]:has-text("Lamp guide 7")')
    await page.keyboard.press('Escape')
  })

  test('relevantSort, poweredBy, analytics, related items without an effect', async () => {
    assert.equal(await page.locator('#relevant button').count(), 0, 'nothing is left out')
    assert.ok((await page.getAttribute('#powered a', 'href'))?.includes('algolia.com'))
    await page.waitForFunction(() => window.pushed.length > 0)
    assert.equal(await page.locator('#similar li').count(), 5)
    const warned = await page.evaluate(() => window.warned)
    assert.ok(
      warned.some((text) => text.includes('optionalFilters')),
      warned.join(),
    )
  })

  test('nothing failed', async () => {
    assert.equal(await page.evaluate(() => window.failure), undefined)
  })
})
