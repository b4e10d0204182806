import assert from 'node:assert/strict'
import type { ScreenTest } from '../screen-test.ts'

interface Settings {
  readonly version: number
  readonly ranking: { readonly popularity_weight: number }
  readonly cors_origins: readonly string[]
}

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'settings',
    login: 'editor',
    prepare: async (session) => {
      const store = await session.createStore('settings', { name: 'Shop <b>of</b> settings' })
      await store.call('PATCH', '/settings', {
        cors_origins: ['https://shop.example.com', 'https://de.shop.example.com'],
        quota: { searches_per_month: 100_000 },
      })
      await store.call('PATCH', '/settings', { ranking: { popularity_weight: 0.4 } })
      return store
    },
    address: () => '/stores/settings/settings',
    shows: 'In force',
    paths: {
      'only what was changed is sent, and a version brings back what was': async (
        { page },
        { session, store },
      ) => {
        await page.goto(`${session.service.url}/stores/${store.id}/settings`)
        const popularity = page.getByRole('textbox', { name: 'Popularity' })
        await popularity.fill('0.75')
        await popularity.blur()
        await page.getByText('1 change not saved').waitFor()
        await page.reload()
        await page.getByText('1 change not saved').waitFor()
        const sent = page.waitForRequest((request) => request.method() === 'PATCH')
        await page.getByRole('button', { name: 'Save settings' }).click()
        assert.deepEqual((await sent).postDataJSON(), { ranking: { popularity_weight: 0.75 } })
        await page.getByText('Settings saved').waitFor()
        await page.getByRole('button', { name: 'Restore version 1' }).click()
        const question = page.getByRole('dialog')
        await question.getByText('Popularity: 0.75 → default').waitFor()
        await question.getByRole('button', { name: 'Restore version' }).click()
        await page.getByText('Version 1 is in force again').waitFor()
        const after = await store.call<Settings>('GET', '/settings')
        assert.equal(after.ranking.popularity_weight, 0)
        assert.equal(after.cors_origins.length, 2)
      },
      'what the service refuses stands at its field, and nothing is lost': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await page.goto(`${session.service.url}/stores/${store.id}/settings`)
        await page.getByRole('textbox', { name: 'Weights of fields' }).fill('title: 5\nnothing: 2')
        await page.getByRole('button', { name: 'Save settings' }).click()
        await page.getByText('The service refused this').waitFor()
        opened.forgive(/400/)
        await page.getByRole('button', { name: 'Discard changes' }).click()
        assert.equal(
          await page.getByRole('textbox', { name: 'Weights of fields' }).inputValue(),
          '',
        )
      },
    },
  },
]
