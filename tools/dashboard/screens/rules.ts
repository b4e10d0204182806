import assert from 'node:assert/strict'
import { until } from '@aisle/testing'
import type { DashboardSession, TestStore } from '../dashboard-session.ts'
import type { ScreenPage } from '../screen-page.ts'
import type { ScreenTest } from '../screen-test.ts'
import { searchAs, searchIn, sendEvents, sendHistory } from '../visitor-history.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> مرحبا 🏕️ <script>alert(2)</script>'

async function storeWithRules(session: DashboardSession, id: string): Promise<TestStore> {
  const store = await session.createStore(id, { products: 240 })
  const ids = await searchIn(session.service.url, store, 'tent')
  await store.call('PUT', '/rules/tents', {
    description: 'Tents: the sturdy ones first, no pegs',
    priority: 10,
    when: [{ query: 'tent', match: 'contains' }],
    pin: [{ id: ids[5]!, position: 2 }],
    hide: [ids[7]!],
    boost: [{ filter_by: 'price:<200', weight: 2 }],
    banner: { title: 'Camping week', text: HOSTILE },
  })
  await store.call('PUT', '/rules/returns', {
    when: [{ query: 'returns' }],
    redirect: '/help/returns',
  })
  await store.call('PUT', '/rules/season', {
    priority: 20,
    description: HOSTILE,
    when: [{ query: 'tent' }, { contexts: ['app'], match: 'any' }],
    pin: [{ id: ids[0]!, position: 2 }],
    schedule: [{ from: '2020-06-01T00:00:00+02:00', until: '2099-07-01T00:00:00+02:00' }],
  })
  await store.call('PUT', '/rules/winter', {
    enabled: false,
    when: [{ query: 'cheap', match: 'contains' }],
    remove_words: ['cheap'],
    sort_by: 'price:asc',
  })
  return store
}

const cards = ({ page }: ScreenPage) =>
  page.getByRole('listbox', { name: 'Results' }).getByRole('option')

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'rules',
    login: 'editor',
    async prepare(session) {
      const store = await storeWithRules(session, 'rules')
      const { url } = session.service
      const searchIds: string[] = []
      for (const [i, q] of ['tent', 'family tent', 'tent pegs', 'stove'].entries()) {
        searchIds.push(await searchAs(url, store, `visit-${i}`, { q }))
      }
      const click = {
        type: 'track',
        event: 'Object Clicked',
        messageId: 'click',
        anonymousId: 'visit-0',
        timestamp: new Date().toISOString(),
        properties: { search_id: searchIds[0], object_id: 'p-1', position: 1 },
      }
      await sendEvents(url, store, [click])
      return store
    },
    address: () => '/stores/rules/rules',
    shows: 'Tents: the sturdy ones first',
    paths: {
      'rules say how often they applied, and those that never do are found': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/rules/rules')
        // `tents` is for queries with the word, `season` for the query alone.
        const row = (id: string) => page.getByRole('row').filter({ hasText: id })
        const applied = (id: string) => row(id).getByRole('note').first()
        await row('tents').getByText('33.3%').waitFor()
        assert.equal(await applied('tents').textContent(), '3')
        await row('season').getByText('100.0%').waitFor()
        await page.getByRole('radio', { name: 'Last 7 days' }).click({ force: true })
        await page.waitForURL(/days=7/)
        await row('tents').getByText('33.3%').waitFor()
        await opened.goto('/stores/rules/rules?state=idle')
        await row('returns').getByText('never', { exact: true }).waitFor()
        assert.equal(await row('tents').count(), 0)
        await opened.check('rules-idle')
      },
      'conflicts are shown, and a rule is turned off with an undo': async (opened, { store }) => {
        const { page } = opened
        await opened.goto('/stores/rules/rules?state=conflict')
        await page.getByText('1 conflict', { exact: true }).first().waitFor()
        await opened.goto('/stores/rules/rules')
        await page.getByRole('switch', { name: 'returns applies' }).click({ force: true })
        await page.getByText('“returns” is off').waitFor()
        assert.equal(
          (await store.call<{ enabled: boolean }>('GET', '/rules/returns')).enabled,
          false,
        )
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByRole('row', { name: /returns .* On/ }).waitFor()
        assert.deepEqual(opened.faults, [])
      },
    },
  },
  {
    name: 'rule',
    login: 'editor',
    async prepare(session) {
      const store = await storeWithRules(session, 'rule')
      await sendHistory(session.service.url, store, { journeys: 200, days: 4 })
      return store
    },
    address: () => '/stores/rule/rules?rule=tents',
    shows: 'Also applied',
    paths: {
      'a rule is made: words, a card dragged to its position, published, undone': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/rule/rules')
        await page.getByRole('button', { name: 'Create rule' }).click()
        await page.getByRole('button', { name: 'Add condition' }).click()
        await page.getByLabel('Query words').fill('lantern')
        await page.getByText('The rule applies').waitFor()
        const ids = await searchIn(session.service.url, store, 'lantern', false)
        for (const place of [0, 3]) {
          await page.locator(`[data-place="${place}"][data-id="${ids[place]}"]`).waitFor()
        }
        const third = cards(opened).nth(3)
        const id = (await third.getAttribute('data-id'))!
        await third.scrollIntoViewIfNeeded()
        await third.hover()
        await page.mouse.down()
        const to = (await cards(opened).first().boundingBox())!
        await page.mouse.move(to.x + 60, to.y + 60, { steps: 8 })
        await page.getByText('Pin to position 1').waitFor()
        await opened.picture('rule-drag')
        await page.mouse.up()
        await cards(opened)
          .first()
          .and(page.locator(`[data-id="${id}"]`))
          .waitFor()
        await page.getByLabel('Rule id').fill('lanterns')
        await page.reload()
        assert.equal(await page.getByLabel('Rule id').inputValue(), 'lanterns')
        await page.getByRole('button', { name: 'Publish rule' }).click()
        await page.getByText('Rule published').waitFor()
        assert.equal((await searchIn(session.service.url, store, 'camping lantern'))[0], id)
        await page.getByRole('button', { name: 'Undo' }).click()
        await until('the rule is gone', () =>
          store.call('GET', '/rules/lanterns').then(
            () => false,
            (error: Error) => /rule_not_found/.test(error.message),
          ),
        )
        opened.forgive(/404/)
        assert.deepEqual(opened.faults, [])
      },
      'an empty rule cannot be published, and the page says what is missing': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/rule/rules')
        await page.getByRole('button', { name: 'Create rule' }).click()
        await page.getByRole('button', { name: 'Add condition' }).waitFor()
        assert.ok(await page.getByRole('button', { name: 'Publish rule' }).isDisabled())
        await page.getByRole('button', { name: 'Add condition' }).click()
        await page.getByText(/^To publish, complete or remove: /).waitFor()
        assert.ok(await page.getByRole('button', { name: 'Publish rule' }).isDisabled())
        assert.deepEqual(opened.faults, [])
      },
      'the keyboard pins, moves, unpins and hides': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/rule/rules?new=true&q=boots')
        await page.getByText('The rule applies').waitFor()
        const ids = await cards(opened).evaluateAll((all) =>
          all.map((one) => one.getAttribute('data-id')),
        )
        await cards(opened).first().focus()
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('p')
        await page.keyboard.press('ArrowLeft')
        await page.keyboard.press('Enter')
        const moved = page.locator(`[data-id="${ids[2]}"][data-place="1"]`)
        await moved.getByText('Pinned').waitFor()
        await page.getByText('Pin a product').waitFor()
        await page.locator(`[data-id="${ids[2]}"]:focus`).waitFor()
        await page.keyboard.press('u')
        await page.getByText('Pin a product').waitFor({ state: 'detached' })
        await page.locator(`[data-id="${ids[2]}"][data-place="2"]`).focus()
        await page.keyboard.press('h')
        await page.getByText('Hide a product').waitFor()
        await page.locator(`[data-id="${ids[2]}"]`).waitFor({ state: 'detached' })
        assert.deepEqual(opened.faults, [])
      },
      'a filter is chosen from the catalog, and the error of a faulty one is at its field': async (
        opened,
      ) => {
        const { page } = opened
        await opened.goto('/stores/rule/rules?new=true&q=shoes')
        await page.getByRole('button', { name: 'Add action' }).click()
        await page.getByRole('menuitem', { name: 'Bury products' }).click()
        const filter = page.getByLabel('Which products are buried')
        await filter.fill('nofield:1')
        await page
          .getByText(/no field `nofield`|nofield/)
          .nth(0)
          .waitFor()
        await page.locator('.field-error', { hasText: 'nofield' }).waitFor()
        await page.getByRole('button', { name: 'Choose' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('checkbox').first().check({ force: true })
        await opened.picture('rule-filter')
        await dialog.getByRole('button', { name: 'Use filter' }).click()
        assert.match(await filter.inputValue(), /^\w+:=/)
        await page.getByText('× 0.5').first().waitFor()
        opened.forgive(/400/)
        assert.deepEqual(opened.faults, [])
      },
    },
  },
  {
    name: 'rule-analyst',
    login: 'analyst',
    prepare: (session) => storeWithRules(session, 'rule-analyst'),
    address: () => '/stores/rule-analyst/rules?rule=season',
    shows: 'Only editors and owners can change this',
  },
  {
    name: 'rules-empty',
    login: 'editor',
    prepare: (session) => session.createStore('no-rules', { products: 3 }),
    address: () => '/stores/no-rules/rules',
    shows: 'No rules yet',
    paths: {
      'strategies come before the first rule': async (opened, { store }) => {
        const { page } = opened
        await opened.goto('/stores/no-rules/rules')
        await page.getByRole('tab', { name: 'Order' }).click()
        await page.getByText('No rules yet').waitFor()
        await page.getByRole('tab', { name: 'Strategies' }).click()
        await page.getByRole('button', { name: 'Create strategy' }).click()
        await page.getByLabel('Title').fill('Summer sale')
        await page.getByRole('dialog').getByRole('button', { name: 'Create strategy' }).click()
        await page.getByRole('switch', { name: 'Summer sale is on' }).waitFor()
        await opened.check('strategies-without-rules')
        await store.call('PUT', '/rules/a', { hide: ['1'] })
        await page.reload()
        await page.getByRole('tab', { name: 'Rules' }).click()
        await page.getByRole('row').filter({ hasText: 'hides 1' }).waitFor()
        assert.deepEqual(opened.faults, [])
      },
    },
  },
]
