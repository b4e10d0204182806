import assert from 'node:assert/strict'
import type { Snapshot } from '@aisle/client'
import type { ScreenTest } from '../screen-test.ts'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'snapshots',
    login: 'owner',
    prepare: async (session) => {
      const store = await session.createStore('snapshots')
      await session.admin('POST', '/snapshots')
      return store
    },
    address: () => '/snapshots',
    shows: 'Create snapshot',
    paths: {
      'a store is restored into a new one, and a name that is taken is refused': async (
        screen,
        { session, store },
      ) => {
        const { page } = screen
        const { snapshots } = await session.admin<{ snapshots: Snapshot[] }>('GET', '/snapshots')
        const [snapshot] = snapshots
        await page.goto(`${session.service.url}/snapshots?snapshot=${snapshot!.name}`)
        const list = page.getByRole('list', { name: 'Stores of the snapshot' })
        await list
          .getByRole('button', { name: /^Restore / })
          .last()
          .click()
        const dialog = page.getByRole('dialog', { name: /^Restore / }).last()
        await dialog.getByLabel('Name').fill('Back again')
        assert.equal(await dialog.getByLabel('Store id').inputValue(), 'back-again')
        await dialog.getByLabel('Store id').fill(store.id)
        await dialog.getByRole('button', { name: 'Restore store' }).click()
        await dialog.getByText(/already/).waitFor()
        await dialog.getByLabel('Store id').fill('back-again')
        await screen.picture('snapshot-restore')
        await dialog.getByRole('button', { name: 'Restore store' }).click()
        await dialog.getByRole('link', { name: 'Open Back again' }).waitFor()
        await dialog.getByText('The write secret is shown only once').waitFor()
        await screen.picture('snapshot-restored')
        await dialog.getByRole('button', { name: 'Close' }).last().click()
        await page.getByRole('button', { name: 'Close' }).first().click()
        const restored = page.getByRole('list', { name: 'Restored stores' })
        await restored.getByRole('link', { name: 'Open back-again' }).click()
        await page.waitForURL(/back-again/)
        await session.admin('DELETE', '/stores/back-again')
      },
      'a snapshot is made, checked and deleted': async ({ page }, { session }) => {
        await page.goto(`${session.service.url}/snapshots`)
        await page.getByRole('button', { name: 'Create snapshot' }).click()
        await page.getByText(/^Snapshot of [\d,]+ products created and verified$/).waitFor()
        const { snapshots } = await session.admin<{ snapshots: unknown[] }>('GET', '/snapshots')
        const rows = page.getByRole('table', { name: 'Snapshots' }).locator('tbody tr')
        assert.equal(await rows.count(), snapshots.length)
        await rows.first().click()
        await page.getByRole('button', { name: 'Check snapshot' }).click()
        await page.getByText('Verified:').waitFor()
        await page.getByText('aisle restore').waitFor()
        await page.getByRole('button', { name: 'Delete snapshot' }).click()
        const question = page.getByRole('dialog', { name: 'Delete snapshot' })
        await question.getByText('will be deleted permanently').waitFor()
        await question.getByRole('button', { name: 'Delete snapshot' }).click()
        await page.getByText('Snapshot deleted').waitFor()
        const after = await session.admin<{ snapshots: unknown[] }>('GET', '/snapshots')
        assert.equal(after.snapshots.length, snapshots.length - 1)
      },
    },
  },
]
