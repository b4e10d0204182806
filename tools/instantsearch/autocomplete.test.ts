import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AisleClient } from '@aisle/client'
import { until } from '@aisle/testing'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../lib/browser.ts'
import { example } from './example.ts'
import { LAMPS, startLampStores, type LampStores } from './lamp-stores.ts'
import { serveShopPage, shows, type ShopPage } from './shop-page.ts'

// Goal: the dropdown of docs/instantsearch.md works, also by keyboard, and so do Autocomplete's
// sources for Algolia. Method: both in a real browser with a running service.

/** Autocomplete's sources, with our search client. */
const OWN_SOURCES = (options: object) => `
import { autocomplete, getAlgoliaFacets, getAlgoliaResults } from '@algolia/autocomplete-js'
import { instantSearchClient } from '@aisle/instantsearch-adapter'
const searchClient = instantSearchClient(${JSON.stringify(options)})
autocomplete({
  container: '#search',
  getSources: ({ query }) => [
    {
      sourceId: 'lamps',
      getItems: () => getAlgoliaResults({
        searchClient, queries: [{ indexName: 'lamps', query, params: { hitsPerPage: 2 } }],
      }),
      templates: { item: ({ item, components }) => components.Highlight({ hit: item, attribute: 'title' }) },
    },
    {
      sourceId: 'brands',
      getItems: () => getAlgoliaFacets({
        searchClient, queries: [{ indexName: 'lamps', facet: 'brand', params: { facetQuery: query, maxFacetHits: 3 } }],
      }),
      templates: { item: ({ item }) => item.label + ' ' + item.count },
    },
  ],
})`

const INPUT = '#search input'
/** The part of the page's theme that decides where the dropdown opens. */
const BODY =
  '<style>:root { --aa-detached-media-query: (max-width: 680px) }</style><div id="search"></div>'
const list = (name: string) => `[data-autocomplete-source-id="aisle-${name}"] .aa-Item`

suite('Autocomplete', { timeout: 600_000 }, () => {
  let lamps: LampStores
  let browser: Browser
  const pages: ShopPage[] = []
  before(async () => {
    lamps = await startLampStores()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser.close()
    for (const shop of pages) shop.close()
    await lamps.server.stop()
  })

  async function open(script: string): Promise<Page> {
    const shop = await serveShopPage(script, () => BODY)
    pages.push(shop)
    await lamps.allow(shop.origin)
    const page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(10_000)
    await page.goto(shop.origin)
    return page
  }
  const asked = (page: Page): string => {
    const { pathname, search } = new URL(page.url())
    return pathname + search
  }

  test('suggestions, categories, products and recent searches', async () => {
    const { server, store, stores } = lamps
    const shop = new AisleClient({ url: server.url }).store('lamps', {
      readSecret: stores['lamps'],
    })
    // The first request creates the index of suggestions.
    await until('suggestions', async () => {
      const { suggestions = [] } = await shop.suggest({ q: 'glo' })
      return suggestions.length > 0
    })
    assert.equal(store.id, 'lamps')
    const page = await open(example('js autocomplete', lamps))
    await page.fill(INPUT, 'glo')
    await shows(page, list('suggestions'), ['glow'])
    assert.equal(await page.innerText(`${list('suggestions')} b`), 'w')
    const glow = LAMPS.filter(({ brand }) => brand === 'Glow')
    const rooms = ['Hall', 'Kitchen', 'Study'].map(
      (name) => `${name} ${glow.filter(({ room }) => room === name).length}`,
    )
    await shows(page, list('categories'), rooms)
    const titles = await page.locator(`${list('products')} span:first-of-type`).allInnerTexts()
    assert.equal(titles.length, 4)

    // Selects entries by keyboard: the first is the suggestion.
    await page.locator(INPUT).press('ArrowDown')
    await page.locator(INPUT).press('Enter')
    await page.waitForURL(/search/)
    assert.equal(asked(page), '/search?q=glow')

    await page.fill(INPUT, 'glo')
    await page.click(`${list('categories')}:has-text("Hall")`)
    await page.waitForURL(/category/)
    assert.equal(asked(page), '/search?q=glo&category=Hall')

    await page.fill(INPUT, 'glo')
    await page.click(`${list('products')} >> nth=0`)
    await page.waitForURL(/lamps/)
    assert.match(asked(page), /^\/lamps\/\d+$/)

    await page.fill(INPUT, 'reading light')
    await page.locator(INPUT).press('Enter')
    await page.waitForURL(/reading/)
    await page.click(INPUT)
    await shows(page, `${list('recent')} span`, ['reading light', 'glo', 'glow'])
    await page.click(`${list('recent')}:has-text("glow") button`)
    await shows(page, `${list('recent')} span`, ['reading light', 'glo'])
    await page.click(`${list('recent')}:has-text("glo")`)
    await page.waitForURL(/q=glo$/)
  })

  test('getAlgoliaResults and getAlgoliaFacets', async () => {
    const { server, stores } = lamps
    const page = await open(OWN_SOURCES({ url: server.url, stores }))
    await page.fill(INPUT, 'wall lamp 50')
    await shows(page, '[data-autocomplete-source-id="lamps"] .aa-Item:first-child mark', [
      'Wall',
      'lamp',
      '50',
    ])
    await page.fill(INPUT, 'glo')
    await shows(page, '[data-autocomplete-source-id="brands"] .aa-Item', ['Glow 15'])
  })
})
