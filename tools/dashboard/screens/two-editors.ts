import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { chooseOption, ScreenPage } from '../screen-page.ts'
import type { ScreenTest } from '../screen-test.ts'

// Goal: nobody overwrites what somebody else has saved meanwhile without having seen it.

const panelOf = (page: Page) => page.getByRole('region', { name: 'Changed by someone else' })
const choose = (page: Page, name: string) => panelOf(page).getByRole('button', { name }).click()

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'two-editors',
    login: 'editor',
    async prepare(session) {
      const store = await session.createStore('two')
      await store.call('PUT', '/presets/page', { value: { per_page: 24 } })
      await store.call('PUT', '/rules/tents', {
        description: 'Tents first',
        when: [{ query: 'tent' }],
        boost: [{ filter_by: 'price:<200', weight: 2 }],
      })
      await store.call('PUT', '/stopword-sets/words', { stopwords: ['buy', 'cheap'] })
      await store.call('PUT', '/synonym-sets/words', {
        items: [{ synonyms: ['tent', 'shelter'] }, { synonyms: ['stove', 'burner'] }],
      })
      return store
    },
    address: () => '/stores/two/presets?preset=page',
    shows: 'Different from the defaults',
    paths: {
      'the second sees the first one’s change of a preset, and both are merged': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        const first = await ScreenPage.open(session, { login: 'owner' })
        const path = '/stores/two/presets?preset=page&tab=json'
        const text = (of: Page) => of.getByLabel('The preset as JSON')
        for (const one of [first, opened]) await one.goto(path)
        await text(first.page).fill('{"per_page": 24, "typo_max": 1}')
        await text(page).fill('{"per_page": 24, "facet_by": "brand"}')
        await first.page.getByRole('button', { name: 'Save preset' }).click()
        await first.page.getByText('Preset saved').waitFor()
        first.close()
        await page.getByRole('button', { name: 'Save preset' }).click()
        await panelOf(page).getByText('typo_max').waitFor()
        assert.equal(await page.getByRole('button', { name: 'Save preset' }).isDisabled(), true)
        opened.forgive(/412/)
        await opened.check('two-editors-preset')
        await choose(page, 'Merge both')
        await page.getByRole('button', { name: 'Save preset' }).click()
        await page.getByText('Preset saved').waitFor()
        const { value } = await store.call<{ value: unknown }>('GET', '/presets/page')
        assert.deepEqual(value, { per_page: 24, typo_max: 1, facet_by: 'brand' })
      },
      'a rule that both changed in one place is not merged; one is chosen': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/two/rules?rule=tents')
        const description = page.getByRole('textbox', { name: 'Description' })
        await description.fill('Mine')
        const theirs = {
          description: 'Theirs',
          when: [{ query: 'tent' }],
          boost: [{ filter_by: 'price:<100', weight: 2 }],
        }
        await store.call('PUT', '/rules/tents', theirs)
        await page.getByRole('button', { name: 'Publish rule' }).click()
        await panelOf(page).getByText('Changed by both').waitFor()
        await panelOf(page).getByText('price:<100').waitFor()
        const merge = page.getByRole('button', { name: 'Merge both' })
        assert.equal(await merge.isDisabled(), true)
        opened.forgive(/412/)
        for (const width of [1440, 360] as const) {
          await opened.resize(width)
          await opened.check('two-editors-rule')
        }
        await opened.resize(1440)
        // The draft and what it began with survive a reload.
        await page.reload()
        await panelOf(page).getByText('Changed by both').waitFor()
        await chooseOption(page, 'Whose Description', 'Yours')
        await merge.click()
        await panelOf(page).waitFor({ state: 'detached' })
        assert.equal(await description.inputValue(), 'Mine')
        await page.getByText('boosts price:<100').first().waitFor()
        await page.getByRole('button', { name: 'Discard changes' }).click()
        assert.equal(await description.inputValue(), 'Theirs')
        await description.fill('Mine again')
        await store.call('PUT', '/rules/tents', { ...theirs, priority: 7 })
        await page.getByRole('button', { name: 'Publish rule' }).click()
        await choose(page, 'Keep mine')
        await page.getByRole('button', { name: 'Publish rule' }).click()
        await page.getByText('Rule published').waitFor()
        const rule = await store.call<Record<string, unknown>>('GET', '/rules/tents')
        assert.deepEqual([rule['description'], rule['priority']], ['Mine again', 0])
        opened.forgive(/412/)
        assert.deepEqual(opened.faults, [])
      },
      'stop words are merged by line; another synonym of the set is not a conflict': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/two/stop-words')
        await page.getByRole('textbox', { name: 'Stop words' }).fill('buy\ncheap\nonline')
        await store.call('PUT', '/stopword-sets/words', { stopwords: ['cheap', 'shop'] })
        await page.getByRole('button', { name: 'Save stop words' }).click()
        await choose(page, 'Merge both')
        await page.getByRole('button', { name: 'Save stop words' }).click()
        await page.getByText('Stop words saved').waitFor()
        const { stopwords } = await store.call<{ stopwords: string[] }>(
          'GET',
          '/stopword-sets/words',
        )
        assert.deepEqual(stopwords.toSorted(), ['cheap', 'online', 'shop'])
        opened.forgive(/412/)

        await opened.goto('/stores/two/synonyms?item=0')
        const words = page.getByRole('textbox', { name: 'Words that mean the same' })
        await words.fill('tent\nshelter\ntipi')
        const put = (...items: string[][]) =>
          store.call('PUT', '/synonym-sets/words', {
            items: items.map((synonyms) => ({ synonyms })),
          })
        await put(['lamp', 'lantern'], ['tent', 'shelter'])
        await page.getByRole('button', { name: 'Save synonym' }).click()
        await page.getByText('Synonym saved').waitFor()
        const read = async () => {
          const set = await store.call<{ items: { synonyms: string[] }[] }>(
            'GET',
            '/synonym-sets/words',
          )
          return set.items.map(({ synonyms }) => synonyms)
        }
        assert.deepEqual(await read(), [
          ['lamp', 'lantern'],
          ['tent', 'shelter', 'tipi'],
        ])
        await opened.goto('/stores/two/synonyms?item=1')
        await words.fill('tent\nshelter\ntipi\nyurt')
        await put(['lamp', 'lantern'], ['tent', 'tarp'])
        await page.getByRole('button', { name: 'Save synonym' }).click()
        await panelOf(page).getByText('tent, tarp').waitFor()
        await choose(page, 'Keep mine')
        await page.getByRole('button', { name: 'Save synonym' }).click()
        await page.getByText('Synonym saved').waitFor()
        assert.deepEqual((await read())[1], ['tent', 'shelter', 'tipi', 'yurt'])
        assert.deepEqual(opened.faults, [])
      },
      'a rule or preset that others deleted meanwhile is created again, or given up': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        const deleted = page.getByRole('region', { name: 'Deleted by someone else' })
        const description = page.getByRole('textbox', { name: 'Description' })
        const tarps = { when: [{ query: 'tarp' }], boost: [{ filter_by: 'price:<9', weight: 2 }] }
        await store.call('PUT', '/rules/tarps', tarps)
        await opened.goto('/stores/two/rules?rule=tarps')
        await description.fill('Mine')
        await store.call('DELETE', '/rules/tarps')
        await page.getByRole('button', { name: 'Publish rule' }).click()
        await deleted.waitFor()
        opened.forgive(/404/)
        await opened.check('two-editors-deleted')
        await deleted.getByRole('button', { name: 'Create it again' }).click()
        await page.getByText('Rule published').waitFor()
        const rule = await store.call<Record<string, unknown>>('GET', '/rules/tarps')
        assert.equal(rule['description'], 'Mine')

        await store.call('PUT', '/presets/short', { value: { per_page: 3 } })
        await opened.goto('/stores/two/presets?preset=short&tab=json')
        await page.getByLabel('The preset as JSON').fill('{"per_page": 4}')
        await store.call('DELETE', '/presets/short')
        await page.getByRole('button', { name: 'Save preset' }).click()
        await deleted.getByRole('button', { name: 'Discard changes' }).click()
        opened.forgive(/404/)
        await page.getByRole('heading', { name: 'Presets' }).waitFor()
        await page.getByRole('cell', { name: 'short', exact: true }).waitFor({ state: 'detached' })
        assert.deepEqual(opened.faults, [])
      },
      'a synonym or stop word set that others deleted meanwhile is created again': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        const deleted = page.getByRole('region', { name: 'Deleted by someone else' })
        const again = deleted.getByRole('button', { name: 'Create it again' })
        const gone = { items: [{ synonyms: ['mug', 'cup'] }] }
        await store.call('PUT', '/synonym-sets/gone', gone)
        await opened.goto('/stores/two/synonyms?set=gone&item=0')
        const words = page.getByRole('textbox', { name: 'Words that mean the same' })
        await words.fill('mug\ncup\nbeaker')
        await store.call('DELETE', '/synonym-sets/gone')
        await page.getByRole('button', { name: 'Save synonym' }).click()
        await deleted.waitFor()
        opened.forgive(/404/)
        await opened.check('two-editors-deleted-synonyms')
        await again.click()
        await page.getByText('Set created').waitFor()
        const { items } = await store.call<{ items: object[] }>('GET', '/synonym-sets/gone')
        assert.deepEqual(items, [{ synonyms: ['mug', 'cup', 'beaker'] }])

        await store.call('PUT', '/stopword-sets/gone', { stopwords: ['cheap'] })
        await opened.goto('/stores/two/stop-words?set=gone')
        await page.getByRole('textbox', { name: 'Stop words' }).fill('cheap\nbest')
        await store.call('DELETE', '/stopword-sets/gone')
        await page.getByRole('button', { name: 'Save stop words' }).click()
        await deleted.waitFor()
        opened.forgive(/404/)
        await opened.check('two-editors-deleted-stop-words')
        await again.click()
        await page.getByText('Stop words saved').waitFor()
        const { stopwords } = await store.call<{ stopwords: string[] }>(
          'GET',
          '/stopword-sets/gone',
        )
        assert.deepEqual(stopwords, ['cheap', 'best'])
        opened.forgive(/404/)
        assert.deepEqual(opened.faults, [])
      },
      'an undo, a restored version and a deletion take back only what was seen': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await store.call('PUT', '/presets/seen', { value: { per_page: 3 } })
        await opened.goto('/stores/two/presets?preset=seen&tab=json')
        await page.getByLabel('The preset as JSON').fill('{"per_page": 4}')
        await page.getByRole('button', { name: 'Save preset' }).click()
        await page.getByText('Preset saved').waitFor()
        await store.call('PUT', '/presets/seen', { value: { per_page: 5 } })
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText("Couldn't undo: someone else has changed it since").waitFor()
        opened.forgive(/412/)
        const preset = await store.call<{ value: object }>('GET', '/presets/seen')
        assert.deepEqual(preset.value, { per_page: 5 })

        await opened.goto('/stores/two/settings')
        const quota = page.getByRole('textbox', { name: 'Searches per month' })
        await quota.fill('7000')
        await page.keyboard.press('Tab')
        await page.getByRole('button', { name: 'Save settings' }).click()
        await page.getByText('Settings saved').waitFor()
        await store.call('PATCH', '/settings', { events: { retention_days: 77 } })
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText("Couldn't undo: someone else has changed it since").waitFor()
        opened.forgive(/412/)
        const settings = await store.call<{ quota: { searches_per_month: number } }>(
          'GET',
          '/settings',
        )
        assert.equal(settings.quota.searches_per_month, 7_000)

        const lamp = (title: string) =>
          store.call('POST', '/documents', { id: 'seen-lamp', data: { title } })
        await lamp('Lamp')
        await opened.goto('/stores/two/documents?open=seen-lamp')
        await page.getByRole('button', { name: 'Delete product' }).click()
        await lamp('Lamp of somebody else')
        const dialog = page.getByRole('dialog', { name: 'Delete this product' })
        await dialog.getByRole('button', { name: 'Delete product' }).click()
        await dialog.getByText('Someone else has saved it since you started').waitFor()
        opened.forgive(/412/)
        await opened.check('two-editors-deletion')
        assert.ok(await store.call('GET', '/documents/seen-lamp'))
        await dialog.getByRole('button', { name: 'Delete product' }).click()
        await page.getByText('Product seen-lamp deleted').waitFor()
        opened.forgive(/412/)
        assert.deepEqual(opened.faults, [])
      },
      'settings, sites and the schema as well': async (opened, { store }) => {
        const { page } = opened
        await opened.goto('/stores/two/settings')
        await page.getByRole('textbox', { name: 'Searches per month' }).fill('5000')
        await page.keyboard.press('Tab')
        await store.call('PATCH', '/settings', { events: { retention_days: 90 } })
        await page.getByRole('button', { name: 'Save settings' }).click()
        await panelOf(page).getByText('Keep events for').waitFor()
        opened.forgive(/412/)
        await opened.check('two-editors-settings')
        await choose(page, 'Merge both')
        await page.getByRole('button', { name: 'Save settings' }).click()
        await page.getByText('Settings saved').waitFor()
        const settings = await store.call<{
          quota: { searches_per_month: number }
          events: { retention_days: number }
        }>('GET', '/settings')
        assert.deepEqual(
          [settings.quota.searches_per_month, settings.events.retention_days],
          [5_000, 90],
        )

        await opened.goto('/stores/two/keys')
        await page.getByRole('textbox', { name: 'Origins' }).fill('https://a.example')
        await store.call('PATCH', '/settings', { cors_origins: ['https://b.example'] })
        await page.getByRole('button', { name: 'Save sites' }).click()
        await choose(page, 'Merge both')
        await page.getByRole('button', { name: 'Save sites' }).click()
        await page.getByText('Sites saved').waitFor()

        await opened.goto('/stores/two/schema?tab=json')
        const json = page.getByLabel('Fields as JSON')
        await json.waitFor()
        const { fields } = await store.call<{ fields: object[] }>('GET', '/schema')
        const withField = (name: string) => [...fields, { name, type: 'string' }]
        await json.fill(JSON.stringify(withField('mine')))
        await store.call('POST', '/schema', { fields: withField('theirs') })
        await page.getByRole('button', { name: 'Add fields' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Add fields' }).click()
        await choose(page, 'Merge both')
        await page.getByRole('button', { name: 'Add fields' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Add fields' }).click()
        await page.getByText('Fields added').waitFor()
        const names = (
          await store.call<{ fields: { name: string }[] }>('GET', '/schema')
        ).fields.map(({ name }) => name)
        assert.deepEqual([names.includes('mine'), names.includes('theirs')], [true, true])
        opened.forgive(/412/)
        assert.deepEqual(opened.faults, [])
      },
    },
  },
]
