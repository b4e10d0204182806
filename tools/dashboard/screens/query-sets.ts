import assert from 'node:assert/strict'
import type { DashboardSession, TestStore } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'
import { searchIn, sendEvents } from '../visitor-history.ts'

async function storeWithSets(
  session: DashboardSession,
  id: string,
  products = 60,
): Promise<TestStore> {
  const store = await session.createStore(id, { products })
  await store.call('PUT', '/synonym-sets/furniture', {
    default: true,
    items: [
      { synonyms: ['tent', 'shelter', 'bivouac'] },
      { root: 'shoes', synonyms: ['boots', 'sneakers', 'sandals'] },
      { synonyms: ['<b>bold</b>', 'مقعد', '10kg🛋️'] },
      { root: 'jacket', synonyms: ['parka'] },
    ],
  })
  await store.call('PUT', '/stopword-sets/filler', {
    default: true,
    stopwords: ['cheap', 'buy', 'free shipping', '<i>best</i>'],
  })
  return store
}

/** Visitors who type one word, find nothing, and click for another. */
async function storeWithTraffic(session: DashboardSession, id: string): Promise<TestStore> {
  const store = await storeWithSets(session, id, 400)
  const { url } = session.service
  const events: object[] = []
  let visitors = 0
  const retype = async (from: string, to: string, times: number): Promise<void> => {
    const found = await searchIn(url, store, to, false)
    for (let i = 0; i < times; i++) {
      const visitor = `retyping-${visitors++}`
      const atMs = Date.now() - 86_400_000 + visitors * 60_000
      const send = (event: string, ms: number, properties: object): void => {
        events.push({
          type: 'track',
          event,
          messageId: `${id}-${visitor}-${event}-${ms}`,
          anonymousId: visitor,
          timestamp: new Date(atMs + ms).toISOString(),
          properties: { session_id: visitor, ...properties },
        })
      }
      send('Search Submitted', 0, { query: from, num_found: 0 })
      send('Search Submitted', 20_000, { query: to, num_found: found.length })
      const object_id = found[i % 3]
      if (object_id !== undefined) {
        send('Object Clicked', 25_000, { query: to, object_id, position: 1 + (i % 3) })
      }
    }
  }
  await retype('torch', 'lantern', 9)
  await retype('red torch', 'red lantern', 2)
  await retype('zelt', 'tent', 6)
  await retype('<b>cooker</b>', 'stove', 4)
  for (let i = 0; i < 60; i++) await retype(`first${i}`, `second${i}`, 1)
  await sendEvents(url, store, events)
  return store
}

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'synonyms',
    login: 'editor',
    prepare: (session) => storeWithSets(session, 'synonyms'),
    address: () => '/stores/synonyms/synonyms',
    shows: 'shelter',
    paths: {
      'a synonym is tried, written and found, and a deleted one comes back with undo': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await page.goto(`${session.service.url}/stores/${store.id}/synonyms?item=new`)
        await page.getByLabel('Words that mean the same').fill('zzlamp\ntent')
        const tried = page.getByRole('dialog').getByRole('status')
        await tried.getByText(/^Now 0 products, with this synonym [1-9]\d* products?$/).waitFor()
        await tried.getByRole('listitem').first().waitFor()
        await page.getByRole('textbox', { name: 'Query' }).fill('tent')
        await tried.getByText(/^Now [1-9]/).waitFor()
        await opened.check('synonyms-try')
        await page.getByLabel('Words that mean the same').fill('lamp\nlantern')
        await page.getByRole('button', { name: 'Save synonym' }).click()
        await page.getByRole('cell', { name: 'lamp, lantern' }).waitFor()
        await page.getByRole('cell', { name: 'lamp, lantern' }).click()
        await page.getByRole('button', { name: 'Delete synonym' }).click()
        await page.getByRole('cell', { name: 'lamp, lantern' }).waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Undo' }).last().click()
        await page.getByRole('cell', { name: 'lamp, lantern' }).waitFor()
        const set = await store.call<{ items: unknown[] }>('GET', '/synonym-sets/furniture')
        assert.equal(set.items.length, 5)
      },
      'a table is imported, and its bad lines are named': async ({ page }, { session, store }) => {
        await page.goto(`${session.service.url}/stores/${store.id}/synonyms`)
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('menuitem', { name: 'Import synonyms' }).click()
        await page.getByLabel('One per line').fill('cup, mug\nalone')
        await page.getByText('These lines need at least two words: 2').waitFor()
        await page.getByLabel('One per line').fill('cup, mug\nrug => carpet')
        await page.getByRole('button', { name: 'Add synonyms' }).click()
        await page.getByRole('cell', { name: 'carpet' }).waitFor()
      },
    },
  },
  {
    name: 'synonym-suggestions',
    login: 'editor',
    prepare: (session) => storeWithTraffic(session, 'synonym-suggestions'),
    address: () => '/stores/synonym-suggestions/synonyms',
    shows: 'Suggested from searches',
    paths: {
      'a suggestion is rejected, brought back, accepted, and taken back with undo': async (
        { page },
        { session, store },
      ) => {
        await page.goto(`${session.service.url}/stores/${store.id}/synonyms`)
        await page.getByText('11 visitors typed it instead').waitFor()
        await page.getByRole('button', { name: 'Reject zelt → tent' }).click()
        await page
          .getByRole('button', { name: 'Accept zelt → tent' })
          .waitFor({ state: 'detached' })
        await page.getByText('1 rejected suggestion').click()
        await page.getByRole('button', { name: 'Restore zelt → tent' }).click()
        await page.getByRole('button', { name: 'Accept torch → lantern' }).click()
        await page.getByRole('cell', { name: 'torch' }).waitFor()
        const set = await store.call<{ items: unknown[] }>('GET', '/synonym-sets/furniture')
        assert.deepEqual(set.items.at(-1), { synonyms: ['lantern'], root: 'torch' })
        await page.getByRole('button', { name: 'Undo' }).last().click()
        await page.getByRole('cell', { name: 'torch' }).waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Accept torch → lantern' }).waitFor()
      },
    },
  },
  {
    name: 'synonyms-empty',
    login: 'analyst',
    prepare: (session) => session.createStore('no-synonyms', { products: 3 }),
    address: () => '/stores/no-synonyms/synonyms',
    shows: 'No synonyms yet',
  },
  {
    name: 'stop-words',
    login: 'editor',
    prepare: (session) => storeWithSets(session, 'stop-words'),
    address: () => '/stores/stop-words/stop-words',
    shows: 'One entry per line',
    paths: {
      'what is being written survives a reload, and is saved': async (
        { page },
        { session, store },
      ) => {
        await page.goto(`${session.service.url}/stores/${store.id}/stop-words`)
        const words = page.getByRole('textbox', { name: 'Stop words' })
        await words.fill('cheap\nbuy\n\n best \nbest')
        await page.getByRole('heading', { name: '3 stop words' }).waitFor()
        await page.reload()
        await page.getByRole('heading', { name: '3 stop words' }).waitFor()
        await page.getByRole('button', { name: 'Save stop words' }).click()
        await page.getByText('Stop words saved').waitFor()
        const set = await store.call<{ stopwords: string[] }>('GET', '/stopword-sets/filler')
        assert.deepEqual(set.stopwords, ['cheap', 'buy', 'best'])
      },
      'a set is made, and deleted with its count': async ({ page }, { session, store }) => {
        await page.goto(`${session.service.url}/stores/${store.id}/stop-words`)
        await page.getByRole('button', { name: 'Create set' }).click()
        await page.getByRole('textbox', { name: 'Name' }).fill('summer sale')
        await page.getByRole('dialog').getByRole('button', { name: 'Create set' }).click()
        await page.getByRole('heading', { name: '0 stop words' }).waitFor()
        await page.getByRole('button', { name: 'Delete set' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete set' }).click()
        await page.getByRole('heading', { name: '3 stop words' }).waitFor()
      },
    },
  },
]
