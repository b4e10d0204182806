import type { ScreenTest } from '../screen-test.ts'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'health',
    login: 'analyst',
    prepare: (session) => session.createStore('health', { name: 'Health & <i>Beauty</i>' }),
    address: () => '/service',
    shows: 'Refused since the start',
    paths: {
      'searches are counted while the page is open': async ({ page }, { session, store }) => {
        await page.goto(`${session.service.url}/service`)
        await page.getByText('Ready').waitFor()
        const headers = { 'x-storeid': store.id, 'x-store-read-secret': store.readSecret }
        for (let i = 0; i < 3; i++) {
          await fetch(`${session.service.url}/v1/search?q=tent&page=${i + 1}`, { headers })
        }
        await page.getByRole('img', { name: 'Searches a second' }).waitFor({ timeout: 30_000 })
        await page.getByRole('link', { name: 'Health & <i>Beauty</i>' }).waitFor()
      },
    },
  },
]
