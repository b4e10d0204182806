import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { REPOSITORY, ServerProcess, until } from '@aisle/testing'
import { buildDocs } from '../packages/dashboard/build/build-docs.ts'
import { launchBrowser } from './lib/browser.ts'

const DOCS = join(REPOSITORY, 'docs')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SCREENSHOTS = join(REPOSITORY, 'screenshots')

suite('the site of docs/, in a browser', { timeout: 480_000 }, () => {
  let server: ServerProcess
  let browser: Browser
  let page: Page
  /** Complaints of the browser: a blocked resource, a missing file. */
  const complaints: string[] = []

  before(async () => {
    await buildDocs()
    server = await ServerProcess.start({ threads: 1 })
    browser = await launchBrowser()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('requestfailed', (request) => {
      // The next keystroke aborts the previous search.
      if (!request.url().includes('/docs/find?')) complaints.push(request.url())
    })
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
    })
  })
  after(async () => {
    await browser.close()
    await server.stop()
  })

  /** Opens a page, with its scripts running. */
  const open = async (path: string): Promise<void> => {
    await page.goto(server.url + path)
    await running(page)
  }

  test('every page is in the sidebar, and opens from there', async () => {
    await open('/docs')
    assert.equal(new URL(page.url()).pathname, '/docs/')
    const links = await page
      .locator('.VPSidebar a')
      .evaluateAll((all) => all.map((link) => (link as unknown as { pathname: string }).pathname))
    const pages = globSync(['*.md', 'decisions/*.md', 'formats/*.md'], { cwd: DOCS })
      .filter((path) => path !== 'README.md')
      .map((path) => `/docs/${path.replace(/\.md$/, '')}`)
    assert.deepEqual(links.toSorted(), pages.toSorted())
    for (const path of links) {
      await page.locator(`.VPSidebar a[href="${path}"]`).dispatchEvent('click')
      await page.waitForURL(`${server.url}${path}`)
      await page.locator('.VPDoc h1').waitFor()
    }
    assert.deepEqual(complaints, [])
  })

  test('a link that is clicked before the scripts of its page run opens its target', async () => {
    const early = await browser.newPage()
    const warnings: string[] = []
    early.on('console', (message) => {
      if (message.type() !== 'log') warnings.push(message.text())
    })
    let arrive = (): void => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await early.route(/index\.md\..*\.js$/, async (route) => {
      await arrived
      await route.fallback()
    })
    await early.goto(`${server.url}/docs/`)
    await early.locator('.VPSidebar a[href="/docs/search"]').click({ noWaitAfter: true })
    arrive()
    await early.waitForURL(`${server.url}/docs/search`)
    await running(early)
    assert.equal(await early.locator('.VPDoc h1').count(), 1)
    assert.match(await early.locator('.VPDoc h1').innerText(), /Search/)
    assert.deepEqual(warnings, [])
    await early.close()
  })

  test('every link of a page has a target page, and its anchor a heading', async () => {
    const ids = new Map<string, ReadonlySet<string>>()
    const links = new Map<string, string>()
    const read = async (path: string): Promise<void> => {
      if (ids.has(path)) return
      const answer = await fetch(server.url + path)
      assert.equal(answer.status, 200, `${path}, a link of ${links.get(path)}`)
      const html = await answer.text()
      ids.set(path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)))
      if (!path.startsWith('/docs/') || path === '/docs/api') return
      assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|<[^>]+ style=/, path)
      const body = html.slice(html.indexOf('<main'))
      for (const [, href = ''] of body.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
        if (/^https?:/.test(href)) continue
        const { pathname, hash } = new URL(href, server.url + path)
        const target = pathname + decodeURIComponent(hash)
        if (!links.has(target)) links.set(target, path)
      }
    }
    await read('/docs/')
    for (const [target] of links) await read(target.split('#', 1)[0]!)
    const lost = [...links].filter(([target]) => {
      const [path = '', id] = target.split('#')
      return id !== undefined && !ids.get(path)!.has(id)
    })
    assert.deepEqual(lost, [])
    assert.ok(ids.size > 50)
  })

  test('a search is answered by Aisle, and its result opens at the heading', async () => {
    await open('/docs/')
    const box = page.getByRole('combobox', { name: 'Search the docs' })
    await until('the search has the focus', async () => {
      await page.keyboard.press('/')
      return (await page.evaluate('document.activeElement.type')) === 'search'
    })
    await box.fill('')
    await page.keyboard.type('typo tolerance')
    const list = page.getByRole('listbox', { name: 'Results' })
    // The list is filled letter by letter while the text is typed.
    await list.locator('mark').first().waitFor()
    await page.screenshot({ path: join(SCREENSHOTS, 'docs-search-1440.png') })
    assert.deepEqual(await accessibilityFindings(page), [])
    const typos = list.getByRole('option').filter({ hasText: /Typos/ }).first()
    while ((await typos.getAttribute('aria-selected')) !== 'true') {
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/[\w-]+#.*typos/)
    const anchor = decodeURIComponent(new URL(page.url()).hash.slice(1))
    await page.locator(`[id="${anchor}"]`).waitFor()
    const isInView = await page.locator(`[id="${anchor}"]`).evaluate((heading) => {
      const { top, bottom } = (heading as unknown as Positioned).getBoundingClientRect()
      return top >= 0 && bottom < 900
    })
    assert.ok(isInView, anchor)
    assert.deepEqual(complaints, [])
  })

  test('a misspelt word finds the intended page, and nonsense shows a message', async () => {
    const box = page.getByRole('combobox', { name: 'Search the docs' })
    await box.fill('sinonyms')
    await page.getByText('Results for “synonyms”').waitFor()
    await page
      .getByRole('option')
      .filter({ hasText: /synonym/i })
      .first()
      .waitFor()
    await box.fill('qqxxqqxx')
    await page.getByText('No results for “qqxxqqxx”').waitFor()
    await box.press('Escape')
    await page.getByText('No results').waitFor({ state: 'detached' })
  })

  test('a missing page shows a message, with a link back', async () => {
    const answer = await fetch(`${server.url}/docs/nowhere`)
    assert.equal(answer.status, 404)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  })

  test('on a phone it fits the screen, with a button for the sidebar', async () => {
    await page.setViewportSize({ width: 360, height: 780 })
    for (const name of ['', 'search', 'operating', 'ranking']) {
      await open(`/docs/${name}`)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      assert.equal(width, 360, name)
      assert.deepEqual(await accessibilityFindings(page), [], name)
    }
    await page.locator('.VPLocalNav button.menu').click()
    await page.locator('.VPSidebar').getByText('Glossary').waitFor()
    await page.screenshot({ path: join(SCREENSHOTS, 'docs-menu-360.png') })
  })
})

/** Waits until the scripts of a page have taken it over. */
async function running(page: Page): Promise<void> {
  await until('the page runs', async () => {
    return (await page.evaluate('"__vue_app__" in document.querySelector("#app")')) === true
  })
}

/** Serious and critical findings of axe-core. */
async function accessibilityFindings(page: Page): Promise<unknown> {
  await page.evaluate(AXE)
  return await page.evaluate(`axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes[0].html))`)
}

interface Positioned {
  getBoundingClientRect(): { readonly top: number; readonly bottom: number }
}
