import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { AisleClient } from '@aisle/client'
import { ServerProcess, until } from '@aisle/testing'
import { launchBrowser } from '../lib/browser.ts'
import { readSource } from '../lib/source-files.ts'

const PRODUCTS = [
  { id: '1', title: 'Red <b>lamp</b>', brand: 'Glow', price: 20 },
  { id: '2', title: 'Desk lamp', brand: 'Lumen', price: 40 },
  { id: '3', title: 'Dome tent', brand: 'Altiva', price: 90 },
]

test('examples/plain-html searches as you type, filters, and sends clicks', async () => {
  const server = await ServerProcess.start({ threads: 1 })
  let html = ''
  const pages = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html)
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  const browser = await launchBrowser()
  try {
    const admin = new AisleClient({ url: server.url, adminToken: server.adminToken })
    const made = await admin.createStore({ name: 'Shop', id: 'shop' })
    const store = admin.store('shop', {
      readSecret: made.read_secret,
      writeSecret: made.write_secret,
    })
    await store.changeSchema({
      fields: [
        { name: 'title', type: 'string', searchable: true },
        { name: 'brand', type: 'string', facet: true },
        { name: 'price', type: 'float', sort: true },
      ],
    })
    await store.importDocuments(PRODUCTS)
    await store.changeSettings({ cors_origins: [origin] })
    html = readSource('examples/plain-html/index.html')
      .text.replace('http://127.0.0.1:7700', server.url)
      .replace("STORE = 'demo'", "STORE = 'shop'")
      .replace('rs_...', made.read_secret)

      .replace("EVENTS_KEY = '...'", `EVENTS_KEY = '${made.events_write_key}'`)

    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(origin)
    await page.waitForSelector('#hits li:nth-child(3)')
    await page.fill('#query', 'lam')
    await page.locator('#found', { hasText: '2 products' }).waitFor()
    assert.equal(await page.locator('#hits b').count(), 0, 'a title is text')
    await page.click('#facet button:has-text("Glow")')
    await page.locator('#found', { hasText: '1 products' }).waitFor()
    await page.click('#hits a')
    await until('the click in the reports', async () => {
      const { rows } = await store.report('top-documents', { from: '2026-01-01' })
      return JSON.stringify(rows).includes('"1"')
    })
    assert.deepEqual(problems, [])
  } finally {
    await browser.close()
    pages.close()
    await server.stop()
  }
})
