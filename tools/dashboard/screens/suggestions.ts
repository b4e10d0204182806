import assert from 'node:assert/strict'
import { until } from '@aisle/testing'
import type { ScreenTest } from '../screen-test.ts'
import { sendHistory } from '../visitor-history.ts'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'suggestions',
    login: 'editor',
    async prepare(session) {
      const { url } = session.service
      const store = await session.createStore('suggest', { name: 'Suggest shop', products: 240 })
      await sendHistory(url, store, { journeys: 300, days: 20 })
      await store.call('PUT', '/suggestions/config', {
        blocklist: ['knife', '"><img src=x onerror=alert(1)> 🏕️'],
        pinned: [{ query: 'gift card', popularity: 500 }],
      })
      // The history is counted in the background.
      await until('suggestions of the history', async () => {
        const answer = await fetch(`${url}/v1/suggestions/queries?q=fam`, {
          headers: { 'x-storeid': store.id, 'x-storesecret': store.readSecret },
        })
        const { suggestions } = (await answer.json()) as { suggestions: { popularity: number }[] }
        return (suggestions[0]?.popularity ?? 0) > 0
      })
      return store
    },
    address: () => '/stores/suggest/suggestions?q=te',
    shows: 'As a visitor sees it',
    paths: {
      'a suggestion is pinned, blocked and restored in place; tabs become code': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/suggest/suggestions')
        await page.getByRole('searchbox', { name: 'Type as a visitor would' }).fill('fam')
        const preview = page.getByRole('region', { name: 'Preview of the dropdown' })
        const actions = preview.getByRole('button', { name: 'Actions for family tent' })
        await actions.click()
        await page.getByRole('menuitem', { name: 'Pin to the top' }).click()
        await preview.getByText('Pinned', { exact: true }).waitFor()
        await actions.click()
        await page.getByRole('menuitem', { name: 'Block suggestion' }).click()
        await actions.waitFor({ state: 'detached' })
        assert.deepEqual((await configOf(store)).blocklist.at(-1), 'family tent')
        await page.getByRole('button', { name: 'Undo' }).last().click()
        await actions.waitFor()
        assert.equal((await configOf(store)).blocklist.includes('family tent'), false)
        await page.getByRole('tab', { name: 'Tabs' }).click()
        await page.getByRole('button', { name: 'Add tab' }).click()
        await page.getByLabel('Label').fill('For families')
        await page.getByLabel('Value').fill('Campwell')
        await page.getByRole('region', { name: 'For families' }).waitFor()
        await opened.check('suggestions-tabs')
      },
      'lists and limits are changed; what is typed survives a reload': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/suggest/suggestions?tab=blocked')
        await page.getByText('onerror=alert(1)').waitFor()
        await page.getByLabel('Add to blocked words').fill('lantern\nbbq')
        await page.reload()
        await page.getByRole('button', { name: 'Add words' }).click()
        await page.getByRole('button', { name: 'Remove lantern' }).waitFor()
        await opened.check('suggestions-blocked')
        await page.getByRole('tab', { name: 'Pinned' }).click()
        await page.getByLabel('Query').fill('someone@example.com')
        await page.getByRole('button', { name: 'Pin suggestion' }).click()
        await page.getByText("Couldn't save").waitFor()
        opened.forgive(/status of 4/)
        await page.getByRole('tab', { name: 'Limits' }).click()
        await page.getByLabel('Visitors per query').fill('3')
        await page.getByLabel('Visitors per query').blur()
        await opened.check('suggestions-limits')
        await page.getByRole('button', { name: 'Save limits' }).click()
        await page.getByText('Limits saved').waitFor()
        const config = await configOf(store)
        assert.deepEqual([config.min_sessions, config.blocklist.length], [3, 4])
      },
    },
  },
  {
    name: 'suggestions-analyst',
    login: 'analyst',
    prepare: (session) => session.createStore('suggest-small', { products: 3 }),
    address: () => '/stores/suggest-small/suggestions?tab=blocked',
    shows: 'Only editors and owners can change this',
  },
]

interface Config {
  readonly blocklist: readonly string[]
  readonly min_sessions: number
}

async function configOf(store: {
  readonly call: <Answer>(method: string, path: string) => Promise<Answer>
}): Promise<Config> {
  return await store.call<Config>('GET', '/suggestions/config')
}
