import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { ScreenTest } from '../screen-test.ts'

const STORE = '/stores/keyboard'
/** Screens whose parts are reached one after the other; the others are made of the same. */
const SCREENS = [
  `${STORE}/overview`,
  `${STORE}/preview?q=tent`,
  `${STORE}/relevance?set=few`,
  `${STORE}/rules`,
  `${STORE}/rules?rule=banner`,
  `${STORE}/rules?list=order`,
  `${STORE}/categories`,
  `${STORE}/synonyms`,
  `${STORE}/facets`,
  `${STORE}/collections?collection=few`,
  `${STORE}/presets?preset=mobile`,
  `${STORE}/documents`,
  `${STORE}/schema`,
  `${STORE}/import`,
  `${STORE}/analytics`,
  `${STORE}/suggestions`,
  `${STORE}/keys`,
  `${STORE}/settings`,
  '/stores',
  '/people',
  '/explorer?store=keyboard',
]
const STOPS_MAX = 400

/** What has the focus: whether it was there before, and what is wrong with it. */
const STOP = `(() => {
  const focused = document.activeElement
  // Between the last and the first one.
  if (focused === document.body) return ''
  if (focused.dataset.reached === 'yes') return 'end'
  focused.dataset.reached = 'yes'
  const { right, bottom, left, top } = focused.getBoundingClientRect()
  const said = focused.outerHTML.slice(0, 160)
  if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight)
    return 'out of sight: ' + said
  // A tick is drawn around its field, a card around its title; code has a caret.
  for (let drawn = focused; drawn !== null; drawn = drawn.parentElement)
    if (getComputedStyle(drawn).outlineStyle !== 'none') return ''
  return focused.shadowRoot === null ? 'without a mark: ' + said : ''
})()`

/**
 * What could be used with a mouse and was not reached. Of several of which one is chosen only one
 * is a stop; arrow keys lead to the others.
 */
const MISSED = `[...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]')]
  .filter((one) => one.dataset.reached !== 'yes' && one.tabIndex >= 0 && !one.disabled)
  .filter((one) => !one.matches('[type="radio"], [role="radio"], [role="tab"]'))
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => one.closest('[inert], [aria-hidden="true"]') === null)
  .map((one) => 'not reached: ' + one.outerHTML.slice(0, 160))`

/** What comes before the screen itself is the same on each: it is walked through once. */
const SKIP_FRAME = `(() => {
  const main = document.querySelector('main')
  const frame = [...document.querySelectorAll('a[href], button, input, [tabindex="0"]')].filter(
    (one) => one.compareDocumentPosition(main) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  for (const one of frame) one.dataset.reached = 'yes'
  frame.findLast((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility())?.focus()
})()`

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'keyboard',
    login: 'owner',
    async prepare(session) {
      const store = await session.createStore('keyboard', { products: 3 })
      await store.call('PUT', '/rules/banner', { when: [{ query: 'tent' }], banner: 'Summer' })
      await store.call('PUT', '/synonym-sets/few', {
        items: [{ synonyms: ['tent', 'shelter'] }, { synonyms: ['lamp', 'lantern'] }],
      })
      await store.call('PUT', '/presets/mobile', { value: { per_page: 12 } })
      await store.call('PUT', '/collections/few', { filter_by: 'price:<50' })
      await store.call('PUT', '/query-sets/few', { queries: [{ q: 'tent' }] })
      return store
    },
    address: () => `${STORE}/synonyms`,
    shows: 'shelter',
    paths: {
      'the tab key reaches everything on a screen, and shows where it is': async (opened) => {
        const faults: string[] = []
        await opened.goto('/account')
        for (const address of SCREENS) {
          await opened.visit(address)
          const isFirst = address === SCREENS[0]
          const found = [...(await tabThrough(opened.page, isFirst)), ...opened.faults.splice(0)]
          faults.push(...found.map((fault) => `${address}: ${fault}`))
        }
        assert.deepEqual(faults, [])
      },
      'a table, a panel, a dialog and a form are used without a mouse': async (opened) => {
        const { page } = opened
        const press = (key: string): Promise<void> => page.keyboard.press(key)
        await opened.goto(`${STORE}/synonyms`)
        const rows = page.getByRole('row')
        await rows.nth(1).focus()
        await press('ArrowDown')
        await press('Enter')
        const panel = page.getByRole('dialog')
        await panel.getByText('lantern').first().waitFor()
        assert.ok(await holdsFocus(page), 'the focus is in the panel')
        for (let i = 0; i < 30; i++) await press('Tab')
        assert.ok(await holdsFocus(page), 'the focus stays in the panel')
        await press('Escape')
        await panel.waitFor({ state: 'detached' })

        await opened.goto('/stores')
        await page.getByRole('button', { name: 'Create store' }).focus()
        await press('Enter')
        await panel.waitFor()
        assert.ok(await holdsFocus(page), 'the focus is in the dialog')
        await page.getByRole('textbox', { name: 'Name' }).focus()
        await page.keyboard.type('Made by keys')
        await press('Enter')
        // Escape would lose secrets that are shown once.
        await page.getByRole('button', { name: 'Open store' }).focus()
        await press('Enter')
        await page.getByRole('heading', { level: 1, name: 'Made by keys' }).waitFor()
        assert.deepEqual(opened.faults, [])
      },
    },
  },
]

/** From the top of the page, or of its main part, until the focus comes to where it was before. */
async function tabThrough(page: Page, withFrame: boolean): Promise<readonly string[]> {
  await page.evaluate(withFrame ? 'document.activeElement.blur()' : SKIP_FRAME)
  const faults: string[] = []
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    await page.keyboard.press('Tab')
    const fault = await page.evaluate<string>(STOP)
    if (fault === 'end') return [...faults, ...(await page.evaluate<string[]>(MISSED))]
    if (fault !== '') faults.push(fault)
  }
  return [...faults, `more than ${STOPS_MAX} stops`]
}

async function holdsFocus(page: Page): Promise<boolean> {
  return await page.evaluate<boolean>(`document.activeElement.closest('[role="dialog"]') !== null`)
}
