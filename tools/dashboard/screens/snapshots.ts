import assert from 'node:assert/strict'
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
