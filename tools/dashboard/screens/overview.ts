import type { ScreenTest } from '../screen-test.ts'

const QUERIES = ['tent', 'tent', 'sleeping bag', 'stove', 'tent pegs', 'zzzz']

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'guide',
    login: 'owner',
    prepare: (session) => session.createStore('guide', { name: 'New shop', products: 0 }),
    address: () => '/stores/guide/overview',
    shows: 'Connect your shop',
  },
  {
    name: 'overview',
    login: 'owner',
    prepare: async (session) => {
      const store = await session.createStore('overview', { name: 'Outdoor shop' })
      for (const [i, q] of QUERIES.entries()) {
        await fetch(`${session.service.url}/v1/search?q=${encodeURIComponent(q)}`, {
          headers: {
            'x-storeid': 'overview',
            'x-storesecret': store.readSecret,
            'x-session-id': `visit-${i}`,
          },
        })
      }
      return store
    },
    address: () => '/stores/overview/overview',
    shows: 'What visitors look for',
    paths: {
      'the search of the guide is carried out': async ({ page }, { session }) => {
        await page.goto(`${session.service.url}/stores/overview/overview?step=search`)
        await page.getByRole('button', { name: 'Run search' }).click()
        await page.getByText(/\d+ products? in/).waitFor()
        await page.getByText('"found"').waitFor()
      },
    },
  },
]
