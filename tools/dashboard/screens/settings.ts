import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { ScreenPage } from '../screen-page.ts'
import type { ScreenTest } from '../screen-test.ts'

interface Settings {
  readonly version: number
  readonly ranking: {
    readonly popularity_weight: number
    readonly learning: string
    readonly learning_limit: number
  }
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
    shows: 'Current',
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
        await page.getByText('Version 1 restored').waitFor()
        const after = await store.call<Settings>('GET', '/settings')
        assert.equal(after.ranking.popularity_weight, 0)
        assert.equal(after.cors_origins.length, 2)
      },
      'personal results are a slider, and name their fields': async (opened, { session }) => {
        const { page } = opened
        const store = await session.createStore('taste-settings', { products: 12 })
        await opened.goto('/stores/taste-settings/settings')
        await page.getByRole('searchbox', { name: 'Find a setting' }).fill('personal results')
        const slider = page.getByRole('slider', { name: 'Personal results' })
        await slider.fill('0.3')
        await page.getByText('up to +30 %').waitFor()
        await page.getByRole('textbox', { name: 'Fields of a taste' }).fill('brand, price')
        await page.getByRole('textbox', { name: 'Fields of a taste' }).blur()
        await opened.check('settings-personal')
        await page.getByRole('button', { name: 'Save settings' }).click()
        await page.getByText('Settings saved').waitFor()
        const saved = await store.call<{ ranking: { personalize: unknown } }>('GET', '/settings')
        assert.deepEqual(saved.ranking.personalize, { limit: 0.3, fields: ['brand', 'price'] })
        await slider.fill('0')
        await page.getByRole('button', { name: 'Save settings' }).click()
        await page.getByText('1 change not saved').waitFor({ state: 'hidden' })
        const off = await store.call<{ ranking: { personalize: unknown } }>('GET', '/settings')
        assert.equal(off.ranking.personalize, null)
      },
      'learning is off by default, and is turned on with its limit': async (
        opened,
        { session },
      ) => {
        const { page } = opened
        const store = await session.createStore('learning-settings', { products: 12 })
        const saved = async () => (await store.call<Settings>('GET', '/settings')).ranking
        await opened.goto('/stores/learning-settings/settings')
        await page.getByRole('searchbox', { name: 'Find a setting' }).fill('learning')
        const limit = page.getByRole('textbox', { name: 'Learning limit' })
        await page.getByRole('button', { name: /^Default: off Learning$/ }).click()
        await page.getByRole('option', { name: 'On', exact: true }).click()
        await limit.fill('0.4')
        await limit.blur()
        await opened.check('settings-learning')
        await page.getByRole('button', { name: 'Save settings' }).click()
        await page.getByText('Settings saved').waitFor()
        const on = await saved()
        assert.deepEqual([on.learning, on.learning_limit], ['on', 0.4])
        await page.getByRole('button', { name: 'Use default' }).first().click()
        await page.getByRole('button', { name: 'Save settings' }).click()
        await page.getByText('1 change not saved').waitFor({ state: 'hidden' })
        const off = await saved()
        assert.deepEqual([off.learning, off.learning_limit], ['off', 0.4])
        assert.deepEqual(opened.faults, [])
      },
      'a setting is found by its words, and its effect is seen before it is saved': async (
        opened,
        { session },
      ) => {
        const { page } = opened
        const store = await session.createStore('live-settings', { products: 240 })
        await opened.goto('/stores/live-settings/settings')
        await page.getByRole('searchbox', { name: 'Find a setting' }).fill('typos number')
        await page.getByText('Typos in numbers').waitFor()
        assert.equal(await page.getByRole('textbox', { name: 'Searches per month' }).count(), 0)
        await page
          .getByRole('searchbox', { name: 'Find a setting' })
          .fill('one expression per line')
        const preview = page.getByRole('complementary', { name: 'Preview of the settings' })
        await preview.getByRole('searchbox').fill('tent')
        await preview.getByText('As it is now.').waitFor()
        const first = preview.locator('.settings-preview li').first()
        const before = await first.textContent()
        const order = page.getByRole('textbox', { name: 'Order', exact: true })
        await order.fill('price:desc')
        await preview
          .getByText(/^(Up \d+|New)$/)
          .first()
          .waitFor()
        assert.notEqual(await first.textContent(), before)
        await opened.check('settings-preview')
        await opened.resize(360)
        await opened.check('settings-preview')
        await opened.resize(1440)
        await order.fill('no_field:desc')
        await preview.getByText(/no_field/).waitFor()
        const { version } = await store.call<Settings>('GET', '/settings')
        assert.equal(version, 0, 'nothing was saved')
        await page.getByRole('searchbox', { name: 'Find a setting' }).fill('xyzzy')
        await page.getByText('No setting matches').waitFor()
        opened.forgive(/status of 400/)
        assert.deepEqual(opened.faults, [])
      },
      'settings leave as files, and come back: differences first, then what was refused by file':
        async (opened, { session }) => {
          const { page } = opened
          const store = await session.createStore('files', { name: 'Files', products: 3 })
          await store.call('PUT', '/rules/old', { when: [{ query: 'tent' }] })
          await store.call('PUT', '/query-sets/head', { queries: [{ q: 'tent' }] })
          await opened.goto('/stores/files/settings')
          const downloaded = page.waitForEvent('download')
          await page.getByRole('button', { name: 'Export files' }).click()
          const download = await downloaded
          assert.equal(download.suggestedFilename(), 'files-settings.zip')
          const files = unzipSync(readFileSync(await download.path()))
          assert.deepEqual(Object.keys(files).toSorted(), [
            'query-sets/head.yaml',
            'rules/old.yaml',
            'schema.yaml',
            'settings.yaml',
          ])
          const choose = async (change: Record<string, string>): Promise<void> => {
            const { ['rules/old.yaml']: _, ...rest } = files
            const parts = Object.entries(change).map(([path, text]) => [path, strToU8(text)])
            const changed = zipSync({ ...rest, ...Object.fromEntries(parts) })
            await page.locator('input[type=file]').setInputFiles({
              name: 'shop.zip',
              mimeType: 'application/zip',
              buffer: Buffer.from(changed),
            })
          }
          await choose({ 'presets/<b>.yaml': '[', 'settings.json': '{}' })
          await page.getByText('Nothing was changed. These files are invalid:').waitFor()
          await page.getByText(/^presets\/<b>\.yaml is neither JSON nor YAML/).waitFor()
          await choose({
            'settings.yaml': 'ranking:\n  popularity_weight: 0.5\nlanguage: en\n',
            'rules/new%20one.yaml': 'when:\n  - query: <i>mug</i>\n',
            'rules/bad.yaml': 'filter_by: nothing:=1\n',
          })
          const dialog = page.getByRole('dialog')
          await dialog.getByText('new one').waitFor()
          await dialog
            .getByText('{"popularity_weight":0.5')
            .or(dialog.getByText('0.5'))
            .first()
            .waitFor()
          await opened.check('settings-files')
          await dialog.getByText('Also delete what the archive does not have: 1').click()
          await dialog.getByRole('button', { name: 'Apply 4 changes' }).click()
          await dialog.getByText("The rest was applied. Couldn't apply 1 file:").waitFor()
          opened.forgive(/status of 400/)
          await opened.check('settings-files-refused')
          const { rules } = await store.call<{ rules: { id: string }[] }>('GET', '/rules')
          assert.deepEqual(
            rules.map(({ id }) => id),
            ['new one'],
          )
          await page.setViewportSize({ width: 360, height: 740 })
          await opened.check('settings-files-phone')
          await page.setViewportSize({ width: 1440, height: 900 })
          const reader = await ScreenPage.open(session, { login: 'analyst' })
          await reader.goto('/stores/files/settings')
          const exported = reader.page.waitForEvent('download')
          await reader.page.getByRole('button', { name: 'Export files' }).click()
          const own = readFileSync(await (await exported).path())
          await reader.page
            .locator('input[type=file]')
            .setInputFiles({ name: 'own.zip', mimeType: 'application/zip', buffer: own })
          await reader.page.getByText('Nothing to apply.').waitFor()
          await reader.page.getByText('Only editors and owners can change this').last().waitFor()
          assert.ok(await reader.page.getByRole('button', { name: /^Apply/ }).isDisabled())
          reader.close()
          await dialog.getByRole('button', { name: 'Close' }).last().click()
          const popularity = page.getByRole('textbox', { name: 'Popularity' })
          await popularity.and(page.locator('[value="0.5"]')).waitFor()
        },
      'popularity is tried as an experiment, and published with a click': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await page.goto(`${session.service.url}/stores/${store.id}/settings`)
        await page.getByRole('button', { name: 'Try popularity' }).scrollIntoViewIfNeeded()
        await opened.check('settings-try-popularity')
        await page.getByRole('button', { name: 'Try popularity' }).click()
        await page.getByRole('button', { name: 'Start experiment' }).click()
        await page.getByText('No votes yet').waitFor()
        await page.getByText('Popularity: 0 → 0.3').waitFor()
        await page.getByRole('button', { name: 'Publish draft' }).click()
        await page.getByText('is live for all visitors').waitFor()
        const after = await store.call<Settings>('GET', '/settings')
        assert.equal(after.ranking.popularity_weight, 0.3)
      },
      'what the service refuses is shown at its field, and nothing is lost': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await page.goto(`${session.service.url}/stores/${store.id}/settings`)
        await page.getByRole('textbox', { name: 'Field weights' }).fill('title: 5\nnothing: 2')
        await page.getByRole('button', { name: 'Save settings' }).click()
        await page.getByText("Couldn't save").waitFor()
        opened.forgive(/400/)
        await page.getByRole('button', { name: 'Discard changes' }).click()
        assert.equal(await page.getByRole('textbox', { name: 'Field weights' }).inputValue(), '')
      },
    },
  },
]
