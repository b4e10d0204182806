import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { COMPILED_CODE, freePort, serviceEntry, until } from '@aisle/testing'
import type { Browser } from 'playwright-core'
import { buildDashboard } from '../../packages/dashboard/build/build-dashboard.ts'
import { launchBrowser } from '../lib/browser.ts'
import { PASSWORD } from './dashboard-session.ts'

const START_MAX_MS = 180_000

suite('the first run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-first-run-'))
  let stop = (): Promise<void> => Promise.resolve()
  let browser: Browser
  let link = ''

  before(async () => {
    await buildDashboard()
    browser = await launchBrowser()
    const child = spawn(process.execPath, [serviceEntry()], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        NODE_COMPILE_CACHE: COMPILED_CODE,
        ...process.env,
        AISLE_PORT: String(await freePort()),
        AISLE_DATA_DIR: folder,
        AISLE_THREADS: '1',
      },
    })
    stop = () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      })
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    // The demo shop is there when its searches are printed.
    link = await until(
      () => `the link in: ${text}`,
      () => text.includes('demo shop') && /http:\S+\/first-run#fr_\S+/.exec(text)?.[0],
      { timeoutMs: START_MAX_MS, pauseMs: 50 },
    )
  })
  after(async () => {
    await browser.close()
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a person who has only the link ends up with a store, and it is used up', async () => {
    const page = await browser.newPage()
    // The link is pasted where somebody looks first.
    await page.goto(new URL(link).origin)
    await page.getByText('First start? Use the setup link').click()
    await page.getByLabel('Setup link').fill('http://localhost/first-run')
    await page.getByRole('button', { name: 'Open link' }).click()
    await page.getByText('Copy all of the link').waitFor()
    await page.getByLabel('Setup link').fill(`First owner: ${link}`)
    await page.getByRole('button', { name: 'Open link' }).click()
    await page.getByRole('heading', { name: 'Welcome to Aisle' }).waitFor()
    await page.getByLabel('Login').fill('ada@example.com')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Create the owner account' }).click()
    await page.locator('.field-error, .note').first().waitFor()
    const faults = await page.locator('.field-error:not(:empty), .note').allTextContents()
    assert.equal(faults.length, 1, faults.join())
    await page.getByLabel('Password').fill(PASSWORD)
    assert.ok(!page.url().includes('fr_'), 'the secret does not stay in the address')
    await page.getByRole('button', { name: 'Create the owner account' }).click()
    await page.getByRole('heading', { name: 'Or explore the demo shop' }).waitFor()
    await page.getByRole('button', { name: 'Create store' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('My shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Create store' }).click()
    await page.getByRole('button', { name: 'Open store' }).click()
    await page.getByRole('heading', { name: 'Connect your shop' }).waitFor()

    const { origin } = new URL(link)
    const code = page.getByRole('figure', { name: 'Index products' })
    await code.getByRole('button', { name: 'Show keys' }).click()
    const command = (await code.locator('pre').textContent()) ?? ''
    const secret = /ws_[\w-]+/.exec(command)?.[0] ?? ''
    const storeId = /x-storeid: ([\w-]+)/.exec(command)?.[1] ?? ''
    const headers = {
      'content-type': 'application/json',
      'x-storeid': storeId,
      'x-store-write-secret': secret,
    }
    const send = (path: string, body: object): Promise<Response> =>
      fetch(`${origin}/api/v1/stores/${storeId}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
    const fields = [{ name: 'title', type: 'string', searchable: true }]
    assert.equal((await send('/schema', { fields })).status, 200)
    assert.equal((await send('/documents', { id: '1', data: { title: 'Tent' } })).status, 201)
    await page.reload()
    await page.goto(`${origin}/stores/${storeId}/overview?step=search`)
    await page.getByRole('button', { name: 'Run search' }).click()
    await page.getByText('1 product in').waitFor()

    await page.goto(link)
    await page.getByText('This link is no longer valid').waitFor()
    assert.equal(await page.getByLabel('Password').count(), 0, 'no form that cannot succeed')
    await page.getByRole('link', { name: 'Log in instead' }).waitFor()
  })
})
