import assert from 'node:assert/strict'
import type { ScreenPage } from '../screen-page.ts'
import type { ScreenTest } from '../screen-test.ts'

const STORE = '/stores/late-answers'

/** Screens with fields for what is saved. */
const ADDRESSES = [
  `${STORE}/rules?rule=banner`,
  `${STORE}/synonyms`,
  `${STORE}/stop-words`,
  `${STORE}/facets`,
  `${STORE}/collections?collection=few`,
  `${STORE}/presets?preset=mobile`,
  `${STORE}/schema`,
  `${STORE}/suggestions?tab=limits`,
  `${STORE}/relevance`,
  `${STORE}/keys`,
  `${STORE}/settings`,
]

/** The names of the fields that can be edited. */
const FIELDS = `Array.from(document.querySelectorAll('main :is(input, textarea, select)'))
  .filter((one) => !one.disabled && !one.readOnly && one.type !== 'search')
  .map((one) => one.labels?.[0]?.textContent ?? one.ariaLabel ?? one.name)`

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'late-answers',
    login: 'owner',
    async prepare(session) {
      const store = await session.createStore('late-answers', { products: 3 })
      await store.call('PUT', '/rules/banner', { when: [{ query: 'tent' }], banner: 'Summer' })
      await store.call('PUT', '/collections/few', { title: 'Few', filter_by: 'price:<50' })
      await store.call('PUT', '/presets/mobile', { value: { per_page: 10 } })
      return store
    },
    address: () => `${STORE}/keys`,
    shows: 'Read secret',
    paths: {
      'no field can be edited before its saved value has arrived': async (opened) => {
        const faults: string[] = []
        for (const address of ADDRESSES) {
          const fields = await fieldsWithoutAnswers(opened, address)
          faults.push(...fields.map((field) => `${address}: ${field}`))
        }
        assert.deepEqual(faults, [])
      },
    },
  },
]

/** The fields of a screen while all answers about its store are held back. */
async function fieldsWithoutAnswers(opened: ScreenPage, address: string): Promise<string[]> {
  const { page } = opened
  const answered = Promise.withResolvers<void>()
  await page.route('**/api/v1/stores/**', async (route) => {
    await answered.promise
    await route.continue()
  })
  await page.goto(new URL(address, page.url()).href)
  // The code of the screen has arrived.
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  const fields = await page.evaluate<string[]>(FIELDS)
  answered.resolve()
  await opened.settle()
  await page.unrouteAll({ behavior: 'wait' })
  return fields
}
