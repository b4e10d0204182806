import assert from 'node:assert/strict'
import { demoCatalog } from '../../../packages/server/src/demo/demo-catalog.ts'
import { until } from '../../../packages/testing/src/index.ts'
import { IMAGE_HOST } from '../dashboard-session.ts'
import { chooseOption } from '../screen-page.ts'
import type { ScreenTest } from '../screen-test.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> مرحبا 🏕️ <script>alert(2)</script>'

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" width="80" height="80"><path fill="teal" d="M4 1 8 7H0z"/></svg>'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'preview',
    login: 'analyst',
    async prepare(session) {
      const store = await session.createStore('preview', { name: 'Preview shop', products: 240 })
      const { hits } = await search(session.service.url, store)
      await store.call('PUT', '/rules/tents-first', {
        when: [{ query: 'tent', match: 'contains' }],
        pin: [{ id: hits.at(-1)!.id, position: 2 }],
        banner: { title: 'Camping week' },
      })
      return store
    },
    address: () => '/stores/preview/preview?q=tent',
    shows: 'Camping week',
    paths: {
      'a query, a filter and a parameter change the results, and a link carries them': async (
        opened,
        { session },
      ) => {
        const { page } = opened
        const searches: string[] = []
        page.on('request', (request) => {
          if (request.url().endsWith('/v1/search')) searches.push(request.postData() ?? '')
        })
        await opened.goto('/stores/preview/preview')
        assert.equal(searches.length, 1, 'one search, with the facets of the schema')
        await page.getByRole('searchbox', { name: 'Search products' }).fill('tent')
        await page.getByText(/^1–\d+ of \d+ products/).waitFor()
        const brands = page.getByRole('region', { name: 'brand', exact: true })
        await brands.getByRole('checkbox').first().check({ force: true })
        await page.getByRole('button', { name: /^Remove brand: / }).waitFor()
        await chooseOption(page, 'Require all words', 'On')
        await page.getByRole('tab', { name: 'Request' }).click()
        const code = page.getByLabel('Request, JSON')
        assert.match(await code.innerText(), /"require_all_terms": true/)
        assert.match(await code.innerText(), /"brand": \[/)
        const answered = page.waitForResponse('**/v1/search')
        await page.reload()
        const asked = (await answered).request().postDataJSON() as Record<string, unknown>
        assert.equal(asked['q'], 'tent')
        assert.equal(asked['require_all_terms'], true)
        assert.equal(asked['analytics'], false)
        assert.match(page.url(), /require_all_terms=true/)
        await page.getByRole('tab', { name: 'Code' }).click()
        await page.getByText(`curl '${session.service.url}/v1/search'`).waitFor()
        assert.deepEqual(opened.faults, [])
      },
      'results as a visitor, with their taste and its reasons': async (opened, { session }) => {
        const { page } = opened
        const store = await session.createStore('taste', { products: 240 })
        await store.call('PATCH', '/settings', { ranking: { personalize: { limit: 0.5 } } })
        const headers = { 'x-storeid': 'taste', 'x-storesecret': store.readSecret }
        const { documents } = demoCatalog()
        const { brand } = documents[0]!.data
        const liked = documents.slice(0, 240).filter(({ data }) => data['brand'] === brand)
        for (const { id } of liked.slice(0, 8)) {
          const event = { event_type: 'click', data: { query: 'tent', document_id: id } }
          const sent = await fetch(`${session.service.url}/analytics/event`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json', 'x-anon-id': 'ada' },
            body: JSON.stringify(event),
          })
          assert.equal(sent.status, 200)
        }
        await opened.goto('/stores/taste/preview?as=anonymousId&visitor=ada')
        const taste = page.getByText('Taste of the visitor')
        await until('the taste of the visitor is shown', async () => {
          await page.reload()
          await page.getByText(/^1–\d+ of \d+ products/).waitFor()
          return (await taste.count()) > 0
        })
        await opened.check('preview-visitor')
        await page.getByRole('button', { name: /^Why/ }).first().click()
        await page.getByText('Because of what the visitor did').waitFor()
        await opened.check('preview-visitor-why')
        assert.deepEqual(opened.faults, [])
      },
      'pictures come from the hosts of the configuration, and no others are asked for': async (
        opened,
        { session },
      ) => {
        const { page } = opened
        const store = await session.createStore('pictures', { products: 3 })
        const images = [
          `${IMAGE_HOST}/tent.svg`,
          `${IMAGE_HOST}/gone.svg`,
          'https://other.example.com/tent.svg',
        ]
        await store.call('POST', '/documents/bulk', {
          documents: images.map((image, i) => {
            return { id: demoCatalog().documents[i]!.id, action: 'update', data: { image } }
          }),
        })
        await page.route(`${IMAGE_HOST}/**`, (route) =>
          route.request().url().endsWith('tent.svg')
            ? route.fulfill({ contentType: 'image/svg+xml', body: PICTURE })
            : route.fulfill({ status: 404 }),
        )
        await opened.goto('/stores/pictures/preview')
        await page.locator('.product-initial').nth(1).waitFor()
        assert.equal(await page.locator('.product-picture img').count(), 1)
        const isDrawn = 'document.querySelector(".product-picture img").naturalWidth > 0'
        assert.equal(await page.evaluate(isDrawn), true)
        await opened.picture('preview-pictures')
        opened.forgive(/a request to another host: https:\/\/images\.example\.com\//)
        opened.forgive(/status of 404 .*gone\.svg/)
        assert.deepEqual(opened.faults, [])
      },
      'why a hit is here, and why it is before another, by keyboard': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/preview/preview?q=tent')
        const first = page.getByRole('button', { name: /^Why is this here: / }).first()
        await first.focus()
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: 'Why #1 is here' }).waitFor()
        await page
          .getByText(/“tent” as typed/)
          .first()
          .waitFor()
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        await page.getByText('Pinned by a rule, not ranked').waitFor()
        await page.getByRole('button', { name: 'Previous', exact: true }).click()
        await page.getByRole('button', { name: /Compare with/ }).click()
        await page.getByRole('option', { name: /^#6 / }).click()
        await page.getByRole('heading', { name: 'Why #1 is before #6' }).waitFor()
        await opened.check('preview-why')
      },
      'hostile text is text, and a malformed address harms nobody': async (opened, { store }) => {
        const { page } = opened
        await store.call('POST', '/documents', {
          id: HOSTILE,
          data: { title: `zzhostile ${HOSTILE} ${'W'.repeat(9_000)}`, brand: HOSTILE, price: -1 },
        })
        await opened.goto('/stores/preview/preview?q=zzhostile&filters=%7B&typo_max=x')
        await page.getByText(/^1–1 of 1 product/).waitFor()
        await page.getByRole('button', { name: /^Why is this here: zzhostile/ }).click()
        await page.getByRole('heading', { name: 'Why #1 is here' }).waitFor()
        await opened.check('preview-hostile')
      },
      'refusals of the service are shown with their code': async (opened) => {
        await opened.goto('/stores/preview/preview?q=tent&filter_by=nofield:1')
        await opened.page.getByText('unknown_field').waitFor()
        opened.forgive(/status of 400/)
        assert.deepEqual(opened.faults, [])
      },
    },
  },
]

async function search(
  url: string,
  { id, readSecret }: { readonly id: string; readonly readSecret: string },
): Promise<{ readonly hits: readonly { readonly id: string }[] }> {
  const answer = await fetch(`${url}/v1/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-storeid': id, 'x-storesecret': readSecret },
    body: JSON.stringify({ q: 'tent', per_page: 8, analytics: false }),
  })
  return (await answer.json()) as { hits: { id: string }[] }
}
