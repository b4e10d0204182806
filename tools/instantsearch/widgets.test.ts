import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../lib/browser.ts'
import { LAMPS, startLampStores, type Lamp, type LampStores } from './lamp-stores.ts'
import { serveShopPage, shows, type ShopPage } from './shop-page.ts'
import { WIDGETS_PAGE } from './widgets-page.ts'

// Goal: every widget of InstantSearch.js works. Method: all of them in one page of a real browser,
// from another origin, with a running service; compares their output with counts over the
// documents.

/** Runs in the page. */
declare const window: {
  start(options: object): void
  failure?: string
}

const countOf = (keeps: (lamp: Lamp) => boolean): number => LAMPS.filter(keeps).length

/** Values of a field with their counts over some lamps, by descending count, then by text. */
function counted(valuesOf: (lamp: Lamp) => readonly string[], lamps = LAMPS): string[] {
  const counts = new Map<string, number>()
  for (const value of lamps.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Array.from(counts)
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([value, count]) => `${value}${count}`)
}

suite('widgets of InstantSearch.js', { timeout: 600_000 }, () => {
  let lamps: LampStores
  let shop: ShopPage
  let browser: Browser
  let page: Page

  before(async () => {
    lamps = await startLampStores()
    shop = await serveShopPage(WIDGETS_PAGE)
    await lamps.allow(shop.origin)
    browser = await launchBrowser()
    page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(10_000)
  })
  after(async () => {
    await browser.close()
    shop.close()
    await lamps.server.stop()
  })

  /** Reloads the page, where its widgets start. */
  async function open(address = '/', routing = false): Promise<void> {
    await page.goto(shop.origin + address)
    const options = { url: lamps.server.url, stores: lamps.stores, routing }
    await page.evaluate((given) => window.start(given), options)
    await page.waitForSelector('#hits li')
  }
  const found = (count: number) => shows(page, '#stats .ais-Stats-text', [`${count} lamps`])
  /** The entries of a list: values with their counts. */
  const values = (id: string, expected: readonly string[]) =>
    shows(page, `#${id} .ais-${LISTS[id]}-item`, expected)
  const noFailure = async () => assert.equal(await page.evaluate(() => window.failure), undefined)

  test('searchBox, hits, highlight, snippet, stats', async () => {
    await open()
    await found(60)
    await page.fill('#box input', 'wall lamp 50')
    await shows(page, '#hits li:first-child .title', ['Wall lamp 50'])
    await shows(page, '#hits li:first-child .title mark', ['Wall', 'lamp', '50'])
    await shows(page, '#hits li:first-child .about', ['…read late: Wall lamps like this…'])
    await page.fill('#box input', 'bright')
    await found(1)
    const title = page.locator('#hits .title')
    assert.equal(await title.innerText(), 'Desk lamp 0 <i>new</i> & <b>bright</b>')
    assert.deepEqual(await title.locator('mark').allInnerTexts(), ['bright'])
    await shows(page, '#hits .colors', ['black, white'])
    await page.fill('#box input', 'nothing of the kind')
    await page.fill('#box input', '')
    await found(60)
    await noFailure()
  })

  test('refinementList: more, several at once, a search among the values', async () => {
    await open()
    const all = counted(({ brand }) => [brand])
    await values('brand', all.slice(0, 2))
    await page.click('#brand .ais-RefinementList-showMore')
    await values('brand', all)
    // Odd characters, one after the other; the others keep their counts.
    const odd = ['Norrby & Söhne', 'Fells: Light', '-Minus', '`Tick\\']
    for (const brand of odd) await page.click(`#brand input[value="${cssText(brand)}"]`)
    await found(countOf(({ brand }) => odd.includes(brand)))
    await shows(
      page,
      '#brand .ais-RefinementList-item--selected .ais-RefinementList-labelText',
      all.map(nameOf).filter((one) => odd.includes(one)),
    )
    const counts = await page.locator('#brand .ais-RefinementList-count').allInnerTexts()
    const expected = all.map((one) => one.slice(nameOf(one).length))
    assert.deepEqual(counts.toSorted(), expected.toSorted())
    await page.fill('#brand input[type=search]', 'norby')
    await shows(page, '#brand .ais-RefinementList-labelText', ['Norrby & Söhne'])
    await shows(page, '#brand .ais-RefinementList-labelText mark', ['Norrby'])
    await page.fill('#brand input[type=search]', 'glo')
    await shows(page, '#brand .ais-RefinementList-labelText', ['Glow'])
    await page.click('#brand input[value="Glow"]')
    await found(countOf(({ brand }) => [...odd, 'Glow'].includes(brand)))
    await noFailure()
  })

  test('menu, menuSelect, toggleRefinement, dynamicWidgets, currentRefinements, clearRefinements', async () => {
    await open()
    await values(
      'room',
      counted(({ room }) => [room]),
    )
    await page.click('#room a:has-text("Study")')
    await found(countOf(({ room }) => room === 'Study'))
    await values('room', counted(({ room }) => [room]).toSorted(selectedFirst('Study')))
    await page.selectOption('#shade select', 'Linen')
    const linen = (lamp: Lamp) => lamp.room === 'Study' && lamp.shade === 'Linen'
    await found(countOf(linen))
    await values(
      'dynamic',
      counted(({ colors }) => colors, LAMPS.filter(linen)),
    )
    await page.click('#stock input')
    const inStock = (lamp: Lamp) => linen(lamp) && lamp.in_stock
    await found(countOf(inStock))
    await page.click('#dynamic input[value="black"]')
    const black = (lamp: Lamp) => inStock(lamp) && lamp.colors.includes('black')
    await found(countOf(black))
    await values(
      'dynamic',
      counted(({ colors }) => colors, LAMPS.filter(black)).toSorted(selectedFirst('black')),
    )
    const current = await page
      .locator('#current .ais-CurrentRefinements-categoryLabel')
      .allInnerTexts()
    assert.deepEqual(current.toSorted(), ['Linen', 'Study', 'black', 'true'])
    await page.click('#clear button')
    await found(60)
    await noFailure()
  })

  test('dynamicWidgets follow the facet display of the store', async () => {
    const all = counted(({ colors }) => colors)
    const ofColor = (name: string) => all.find((one) => one.startsWith(name))!
    await lamps.arrange({ facets: { colors: { sort: 'alpha', pin: ['white'], hide: ['brass'] } } })
    await open()
    await values('dynamic', [ofColor('white'), ofColor('black')])
    await lamps.arrange({ facets: { colors: { sort: 'pinned', pin: ['brass'] } } })
    await open()
    await values('dynamic', [ofColor('brass')])
    await lamps.arrange({ hide: ['colors'] })
    await open()
    await values('dynamic', [])
    await lamps.arrange(null)
    await open()
    await values('dynamic', all)
    await noFailure()
  })

  test('hierarchicalMenu and breadcrumb', async () => {
    await open()
    await values(
      'kind',
      counted((lamp) => [lamp['kind.lvl0']]),
    )
    await page.click('#kind a:has-text("Indoor")')
    await page.click('#kind a:has-text("Wall")')
    await found(countOf((lamp) => lamp['kind.lvl1'] === 'Indoor > Wall'))
    const below = counted((lamp) => [lamp['kind.lvl1']]).filter((one) => one.startsWith('Indoor'))
    await shows(
      page,
      '#kind .ais-HierarchicalMenu-list--child li',
      below.map((one) => one.slice('Indoor > '.length)).toSorted(),
    )
    await shows(page, '#crumbs .ais-Breadcrumb-item--selected', ['>Wall'])
    await page.click('#crumbs a:has-text("Indoor")')
    await found(countOf((lamp) => lamp['kind.lvl0'] === 'Indoor'))
    await noFailure()
  })

  test('rangeInput, rangeSlider, numericMenu, ratingMenu', async () => {
    await open()
    const handles = page.locator('#slider [role=slider]')
    assert.deepEqual(
      await handles.evaluateAll((all) =>
        (all as unknown as { getAttribute(name: string): string }[]).map((one) =>
          Number(one.getAttribute('aria-valuenow')),
        ),
      ),
      [10, 158],
    )
    await page.fill('#range .ais-RangeInput-input--min', '50')
    await page.fill('#range .ais-RangeInput-input--max', '100')
    await page.click('#range .ais-RangeInput-submit')
    const priced = (lamp: Lamp) => lamp.price >= 50 && lamp.price <= 100
    await found(countOf(priced))
    await page.click('#watts label:has-text("Low")')
    const low = (lamp: Lamp) => priced(lamp) && lamp.watts <= 20
    await found(countOf(low))
    await page.click('#rating a[aria-label^="4 &"], #rating a[aria-label^="4"]')
    await found(countOf((lamp) => low(lamp) && lamp.rating >= 4))
    await page.click('#clear button')
    await found(60)
    await handles.first().focus()
    await page.keyboard.press('PageUp')
    await page.waitForFunction(`!document.querySelector('#stats').innerText.startsWith('60 ')`)
    await noFailure()
  })

  test('sortBy, pagination, hitsPerPage', async () => {
    await open()
    const cheapest = LAMPS.toSorted((a, b) => a.price - b.price).map(({ title }) => title)
    await page.selectOption('#sort select', { label: 'Cheapest' })
    await shows(page, '#hits .title', cheapest.slice(0, 5))
    await page.click('#pages a:has-text("3")')
    await shows(page, '#hits .title', cheapest.slice(10, 15))
    await page.selectOption('#size select', '10')
    await shows(page, '#hits .title', cheapest.slice(0, 10))
    await shows(page, '#pages .ais-Pagination-item--page', ['1', '2', '3', '4', '5', '6'])
    await page.selectOption('#sort select', { label: 'Dearest' })
    await shows(page, '#hits .title', cheapest.toReversed().slice(0, 10))
    await noFailure()
  })

  test('index, infiniteHits: another store in the same page', async () => {
    await open()
    await page.fill('#box input', 'guide')
    await shows(page, '#guides li mark', ['guide', 'guide', 'guide', 'guide'])
    for (const count of [8, 9]) {
      await page.click('#guides .ais-InfiniteHits-loadMore')
      await page.waitForFunction(`document.querySelectorAll('#guides li').length === ${count}`)
    }
    await noFailure()
  })

  test('relatedProducts, lookingSimilar, frequentlyBoughtTogether, trendingItems', async () => {
    await open()
    const study = new Set(LAMPS.filter(({ room }) => room === 'Study').map(({ title }) => title))
    await page.waitForSelector('#related li')
    const related = await page.locator('#related li').allInnerTexts()
    assert.ok(related.length === 2 && related.every((title) => study.has(title)), String(related))
    assert.equal(await page.locator('#similar li').count(), 2)
    // Without purchases: similar products from other rooms, and the newest ones.
    const { room: own } = LAMPS[3]!
    const rooms = await page.locator('#together li').allInnerTexts()
    assert.ok(rooms.length === 2 && !rooms.includes(own), String(rooms))
    await shows(page, '#trending li', ['Wall lamp 59', 'Floor lamp 58', 'Desk lamp 57'])
    await noFailure()
  })

  test('queryRuleCustomData, and a banner above the hits', async () => {
    await open()
    await page.fill('#box input', 'winter')
    const banner = { title: 'Winter week', image: '/winter.webp', link: '/winter' }
    await shows(page, '#banner', [
      JSON.stringify([banner, { theme: 'snow', redirect: '/winter-lamps' }]),
    ])
    await page.waitForSelector('#hits .ais-Hits-banner a[href="/winter"] img[src="/winter.webp"]')
    await noFailure()
  })

  test('routing: the address is the state', async () => {
    await open('/', true)
    await page.fill('#box input', 'lamp')
    await page.click('#room a:has-text("Hall")')
    await page.selectOption('#sort select', { label: 'Dearest' })
    const hall = countOf(({ room }) => room === 'Hall')
    await found(hall)
    await page.waitForURL(/sortBy/)
    const { pathname, search } = new URL(page.url())
    await open(pathname + search, true)
    await found(hall)
    assert.equal(await page.inputValue('#box input'), 'lamp')
    const dearest = LAMPS.filter(({ room }) => room === 'Hall').at(-1)!
    await shows(page, '#hits li:first-child .title', [dearest.title])
    await page.goBack()
    await noFailure()
  })
})

const LISTS: Readonly<Record<string, string>> = {
  brand: 'RefinementList',
  room: 'Menu',
  kind: 'HierarchicalMenu',
  dynamic: 'RefinementList',
}

function selectedFirst(value: string): (a: string, b: string) => number {
  return (a, b) => Number(nameOf(b) === value) - Number(nameOf(a) === value)
}

/** Without the count at its end. */
function nameOf(entry: string): string {
  return entry.replace(/\d+$/, '')
}

/** The value of its box, in a selector: InstantSearch escapes a leading minus. */
function cssText(value: string): string {
  return value.replace(/^-/, '\\-').replaceAll('\\', '\\\\')
}
