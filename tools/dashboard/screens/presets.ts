import assert from 'node:assert/strict'
import { until } from '@aisle/testing'
import type { DashboardSession, TestStore } from '../dashboard-session.ts'
import { chooseOption } from '../screen-page.ts'
import type { ScreenTest } from '../screen-test.ts'
import { searchAs } from '../visitor-history.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> مرحبا 🏕️'

async function storeWithPresets(session: DashboardSession, id: string): Promise<TestStore> {
  const store = await session.createStore(id)
  await store.call('PUT', '/presets/shop-page', {
    value: { facet_by: 'brand,categories', per_page: 24, typo_max: 1, sort_by: 'price:asc' },
  })
  await store.call('PUT', '/presets/overlay', {
    value: { q: HOSTILE, widget_mode: true, per_page: 5 },
  })
  const searches = [{ q: 'tent', preset_name: 'shop-page' }, { q: 'stove' }, { q: 'lantern' }]
  for (const [i, body] of searches.entries()) {
    await searchAs(session.service.url, store, `visit-${i}`, body)
  }
  return store
}

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'presets',
    login: 'analyst',
    prepare: (session) => storeWithPresets(session, 'presets'),
    address: () => '/stores/presets/presets',
    shows: 'shop-page',
    paths: {
      'searches with each preset are counted': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/presets/presets')
        const row = (name: string) => page.getByRole('row').filter({ hasText: name })
        await row('overlay').getByText('never', { exact: true }).waitFor()
        assert.equal(await row('shop-page').getByRole('note').first().textContent(), '1')
        await row('shop-page').click()
        await page.getByText('33.3% of all, by 1 visitor').waitFor()
        await opened.check('preset-used')
      },
    },
  },
  {
    name: 'preset',
    login: 'editor',
    prepare: (session) => storeWithPresets(session, 'preset'),
    address: () => '/stores/preset/presets?preset=shop-page',
    shows: 'Different from the defaults',
    paths: {
      'a control changes the JSON and the difference, and an undo reverses it': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/preset/presets?preset=shop-page')
        await chooseOption(page, 'Require all words', 'On')
        const unsaved = page.locator('.section', { hasText: 'Not saved yet' })
        await unsaved.getByText('require_all_terms').waitFor()
        await unsaved.getByRole('button', { name: 'Run as experiment' }).waitFor()
        await opened.check('preset-unsaved')
        await page.reload()
        await unsaved.getByText('require_all_terms').waitFor()
        await page.getByRole('tab', { name: 'JSON' }).click()
        await page.getByLabel('The preset as JSON').getByText('require_all_terms').waitFor()
        await opened.check('preset-json')
        await page.getByRole('button', { name: 'Save preset' }).click()
        await page.getByText('Preset saved').waitFor()
        const saved = async () =>
          (await store.call<{ value: Record<string, unknown> }>('GET', '/presets/shop-page')).value
        assert.equal((await saved())['require_all_terms'], true)
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('No changes.').waitFor()
        await until('it is as it was', async () => !('require_all_terms' in (await saved())))
        assert.deepEqual(opened.faults, [])
      },
      'a preset is created in JSON, and refusals of the service are shown': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/preset/presets?new=true&tab=json')
        await page.getByRole('textbox', { name: 'Name' }).fill('mobile')
        const editor = page.getByLabel('The preset as JSON')
        await editor.fill('{"per_page": 9999}')
        await page.getByRole('button', { name: 'Save preset' }).click()
        await page.getByText('invalid_parameter').waitFor()
        await editor.fill('{"per_page": 12}')
        await page.getByRole('button', { name: 'Save preset' }).click()
        await page.getByRole('heading', { level: 1, name: 'mobile' }).waitFor()
        const { value } = await store.call<{ value: unknown }>('GET', '/presets/mobile')
        assert.deepEqual(value, { per_page: 12 })
        opened.forgive(/400/)
        assert.deepEqual(opened.faults, [])
      },
    },
  },
]
