import assert from 'node:assert/strict'
import type { DashboardSession, TestStore } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'relevance',
    login: 'editor',
    async prepare(session) {
      const store = await session.createStore('relevance', { name: 'Tuned shop', products: 400 })
      await leaveTraffic(session, store)
      await store.call('PUT', '/query-sets/judged', {
        queries: [{ q: 'tent', weight: 5 }, { q: 'sleeping bag' }, { q: 'wigwam' }],
      })
      await store.call('PUT', '/rules/old-first', {
        boost: [{ filter_by: 'price:<50', weight: 3 }],
      })
      return store
    },
    address: () => '/stores/relevance/relevance?judged=clicks',
    shows: 'Searches affected',
    paths: {
      'of many fields each has its whole name, and is found; popularity says why it moves nothing':
        async (opened, { session }) => {
          const { page } = opened
          const wide = await session.createStore('wide', { products: 0 })
          const names = Array.from({ length: 60 }, (_, i) => `specifications_of_the_model_${i}`)
          const fields = names.map((name) => ({ name, type: 'string', searchable: true }))
          await wide.call('POST', '/schema', { fields })
          await wide.call('PUT', '/query-sets/few', { queries: [{ q: 'tent' }] })
          await opened.goto('/stores/wide/relevance?set=few')
          const draft = page.getByRole('region', { name: 'Draft' })
          const sliders = draft.getByRole('slider', { name: /^specifications/ })
          await sliders.nth(59).waitFor()
          const name = draft
            .locator('.relevance-name')
            .getByText('specifications_of_the_model_17', { exact: true })
          const isCut = await name.evaluate((one: unknown) => {
            const { scrollWidth, clientWidth } = one as Record<
              'scrollWidth' | 'clientWidth',
              number
            >
            return scrollWidth > clientWidth
          })
          assert.ok(!isCut, 'the whole name is shown')
          // Not at 0: the service chooses.
          assert.notEqual(await sliders.first().inputValue(), '0')
          await draft.getByText('No clicks or orders yet, so popularity changes nothing.').waitFor()
          await draft.getByRole('searchbox', { name: 'Find a field' }).fill('model_5')
          await sliders.nth(11).waitFor({ state: 'detached' })
          assert.equal(await sliders.count(), 11)
          await opened.check('relevance-wide')
        },
      'a draft is compared, judged, published and rolled back': async (opened, { store }) => {
        const { page } = opened
        await opened.goto('/stores/relevance/relevance?set=judged')
        const figures = page.getByText('Searches affected').locator('..')
        await figures.getByText('0.0%', { exact: true }).waitFor()
        await page.getByRole('switch', { name: 'Rule old-first' }).uncheck({ force: true })
        await page.getByRole('textbox', { name: /^Synonyms of the set/ }).fill('wigwam, tent')
        await page.getByText('Publish B (2)').waitFor()
        await figures.getByText('0.0%', { exact: true }).waitFor({ state: 'detached' })
        const sides = page.getByRole('region', { name: 'Results side by side' })
        const b = sides.getByRole('region', { name: 'B: draft' })
        await b
          .getByText(/^(New|Up \d+)$/)
          .first()
          .waitFor()
        await b.getByRole('button', { name: 'Good result' }).first().click()
        await page.getByText('1 query of 3 judged').waitFor()
        await page.reload()
        await page.getByText('Publish B (2)').waitFor()
        await page.getByText('Changed, not saved.').waitFor()
        await opened.check('relevance-draft')
        await page.getByRole('button', { name: 'Save set' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Save set' }).click()
        await page.getByText('Set judged saved').waitFor()
        const { queries } = await store.call<{ queries: { judgments?: unknown[] }[] }>(
          'GET',
          '/query-sets/judged',
        )
        assert.equal(queries[0]!.judgments?.length, 1)

        await page.getByRole('button', { name: 'Publish B (2)' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByText('Rule old-first: changed').waitFor()
        await dialog.getByLabel('Note').fill('Wigwams are tents <b>')
        await dialog.getByRole('button', { name: 'Publish B' }).click()
        await page.getByText('Version 1 is live').waitFor()
        await page.getByRole('button', { name: 'History' }).click()
        await page.getByText('Wigwams are tents <b>').waitFor()
        await page
          .getByText(/edith@example\.com/)
          .first()
          .waitFor()
        await opened.check('relevance-history')
        await page.getByRole('button', { name: 'Restore version 0' }).click()
        await page.getByRole('button', { name: 'Restore version', exact: true }).last().click()
        await page.getByText('Version 0 restored').waitFor()
        const { rules } = await store.call<{ rules: { enabled: boolean }[] }>('GET', '/rules')
        assert.equal(rules[0]!.enabled, true)
        const { synonym_sets: sets } = await store.call<{ synonym_sets: unknown[] }>(
          'GET',
          '/synonym-sets',
        )
        assert.deepEqual(sets, [])
        assert.deepEqual(opened.faults, [])
      },
      'variants, hidden fields and filters in queries are drafted': async (opened, { store }) => {
        const { page } = opened
        await opened.goto('/stores/relevance/relevance?set=judged')
        const choose = async (name: RegExp, option: string) => {
          await page.getByRole('button', { name }).click()
          await page.getByRole('option', { name: option, exact: true }).click()
        }
        await choose(/all shown Variants$/, 'brand')
        await page.getByText('Publish B (1)').waitFor()
        await page.getByRole('textbox', { name: 'Variants shown' }).fill('2')
        await page.getByRole('textbox', { name: 'Variants shown' }).blur()
        await page.getByRole('textbox', { name: 'Hidden fields' }).fill('color')
        await choose(/Off Filters in queries$/, 'Apply')
        await page.getByText('Publish B (4)').waitFor()
        await opened.check('relevance-shown')
        await page.getByRole('button', { name: 'Publish B (4)' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByText('Hidden fields: color').waitFor()
        await dialog.getByText('Variants: brand').waitFor()
        await dialog.getByRole('button', { name: 'Publish B' }).click()
        await page.getByText(/^Version \d+ is live/).waitFor()
        const settings = await store.call<Record<string, unknown>>('GET', '/settings')
        assert.deepEqual(settings['distinct'], { field: 'brand', limit: 2 })
        assert.deepEqual(settings['omit_fields'], ['color'])
        await choose(/brand Variants$/, 'all shown')
        await page.getByText('Publish B (1)').waitFor()
        await page.getByRole('button', { name: 'Discard draft' }).click()
        assert.deepEqual(opened.faults, [])
      },
      'a judged file is read, and hostile queries are text': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/relevance/relevance')
        const hostile = '<img src=x onerror=alert(1)> مرحبا 🏕️'
        await page.getByLabel('Judgments file').setInputFiles({
          name: 'judged.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(`query,id,grade\ntent,x,3\n${hostile},y,1\n${'w'.repeat(900)},z,0\n`),
        })
        await page.getByText('3 queries, 3 grades read').waitFor()
        await page.getByRole('cell', { name: hostile }).waitFor()
        await opened.check('relevance-hostile')
      },
    },
  },
  {
    name: 'relevance-empty',
    login: 'analyst',
    prepare: (session) => session.createStore('untuned', { products: 3 }),
    address: () => '/stores/untuned/relevance',
    shows: 'No queries to compare',
    paths: {
      'an analyst may compare and not publish': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/untuned/relevance')
        await page.getByRole('button', { name: 'Type queries' }).click()
        await page.getByLabel('One query per line').fill('tent\t5\nlamp')
        await page.getByRole('button', { name: 'Use 2 queries' }).click()
        await page.getByRole('button', { name: /Require all words/ }).click()
        await page.getByRole('option', { name: 'Always', exact: true }).click()
        await page.getByText('Publish B (1)').waitFor()
        assert.equal(await page.getByRole('button', { name: 'Publish B (1)' }).isDisabled(), true)
        assert.equal(await page.getByRole('button', { name: 'Save set' }).isDisabled(), true)
        await page.getByRole('cell', { name: 'lamp' }).waitFor()
        assert.deepEqual(opened.faults, [])
      },
    },
  },
]

/** Visitors who search, and click what they find. */
async function leaveTraffic(session: DashboardSession, store: TestStore): Promise<void> {
  const { url } = session.service
  for (let visitor = 0; visitor < 36; visitor++) {
    const q = ['tent', 'sleeping bag', 'jacket', 'lamp'][visitor % 4]!
    const answer = await fetch(`${url}/v1/search`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-storeid': store.id,
        'x-storesecret': store.readSecret,
        'x-anon-id': `visitor-${visitor}`,
        'x-session-id': `session-${visitor}`,
      },
      body: JSON.stringify({ q }),
    })
    const { hits, search_id: id } = (await answer.json()) as {
      hits: { id: string }[]
      search_id: string
    }
    const at = visitor % 5
    const hit = hits[at]
    if (hit === undefined) continue
    const sent = await fetch(`${url}/v1/b`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        writeKey: store.eventsKey,
        sentAt: new Date().toISOString(),
        batch: [
          {
            type: 'track',
            event: 'Object Clicked',
            messageId: `click-${visitor}`,
            anonymousId: `visitor-${visitor}`,
            timestamp: new Date().toISOString(),
            properties: { search_id: id, object_id: hit.id, position: at + 1 },
          },
        ],
      }),
    })
    assert.equal(sent.ok, true, await sent.text())
  }
}
