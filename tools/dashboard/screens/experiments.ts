import assert from 'node:assert/strict'
import type { DashboardSession, TestStore } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'

const DRAFT = { rules: { lanterns: { when: [{ query: 'tent' }], replace_query: 'lantern' } } }

interface Answer {
  readonly hits: readonly { readonly id: string }[]
  readonly experiment?: { readonly arm: string }
}

/** A store with an experiment of each kind, and visitors who prefer the draft. */
async function storeWithExperiments(session: DashboardSession, id: string): Promise<TestStore> {
  const store = await session.createStore(id, { products: 400 })
  const { url } = session.service
  const send = async (path: string, headers: Record<string, string>, body: object) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-storeid': store.id, ...headers },
      body: JSON.stringify(body),
    })
    assert.equal(answer.status, 200, await answer.clone().text())
    return (await answer.json()) as unknown
  }
  const base = `/api/v1/stores/${store.id}/experiments`
  const owner = { 'x-store-write-secret': store.writeSecret }
  const start = async (body: object) =>
    (await send(base, owner, { draft: DRAFT, ...body })) as { readonly id: string }
  const visit = async (visitor: string, isBuying: boolean): Promise<void> => {
    const headers = { 'x-storesecret': store.readSecret, 'x-anon-id': visitor }
    const device = visitor.endsWith('3') ? 'device:tablet' : 'device:phone'
    const search = { q: 'tent', per_page: 10, analytics_tags: [device, 'nl'] }
    const { hits, experiment } = (await send('/v1/search', headers, search)) as Answer
    const [hit] = hits
    if (hit === undefined) return
    const event = (event_type: string, data: object) =>
      send('/analytics/event', headers, {
        event_type,
        data: { query: 'tent', document_id: hit.id, ...data },
      })
    await event('click', { position: 1 })
    if (!isBuying && experiment?.arm !== 'draft') return
    await event('conversion', { order_id: `order-${visitor}`, revenue: 24.9, currency: 'EUR' })
  }
  const over = await start({ name: 'Lanterns for tents', kind: 'split' })
  for (let i = 0; i < 40; i++) await visit(`split-${i}`, i % 3 === 0)
  await send(`${base}/${over.id}/end`, owner, {})
  await start({ name: 'Tents and lanterns', kind: 'interleaved' })
  for (let i = 0; i < 30; i++) await visit(`both-${i}`, false)
  return store
}

/** A report of three weeks in which the draft slowly wins. */
function manyDays(report: object): object {
  const by_day = Array.from({ length: 21 }, (_, i) => {
    const live = 0.031 + Math.sin(i) / (400 + 100 * i)
    const draft = 0.036 + Math.cos(i) / (400 + 100 * i)
    const half = 0.03 / Math.sqrt(i + 1)
    const day = new Date(Date.UTC(2026, 9, 1 + i)).toISOString().slice(0, 10)
    return { day, live, draft, low: Math.max(0, draft - half), high: draft + half }
  })
  return { ...report, by_day }
}

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'experiments',
    login: 'editor',
    prepare: (session) => storeWithExperiments(session, 'tried'),
    address: () => '/stores/tried/experiments',
    shows: 'Tents and lanterns',
    paths: {
      'an experiment says what leads, and is published with one click': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/tried/experiments')
        await page.getByRole('cell', { name: 'Lanterns for tents' }).click()
        const panel = page.getByRole('dialog')
        await panel.getByText('It ended before it was decided').waitFor()
        await panel.getByRole('rowheader', { name: 'Revenue per visitor' }).waitFor()
        await panel.getByRole('rowheader', { name: 'device:tablet' }).waitFor()
        await opened.check('experiments-split')
        await panel.getByRole('button', { name: 'Close' }).click()
        await page.getByRole('cell', { name: 'Tents and lanterns' }).click()
        await panel.getByText(/Not yet decided/).waitFor()
        await panel.getByText(/30 visitors saw both orders/).waitFor()
        await opened.check('experiments-interleaved')
        await panel.getByRole('button', { name: 'Publish draft' }).click()
        await page.getByText('is live for all visitors').waitFor()
      },
      'what each order achieved is drawn day by day': async (opened) => {
        const { page } = opened
        // Visits of a test are all of one day.
        await page.route(/\/experiments\/\w+\?/, async (route) => {
          const response = await route.fetch()
          const answer = (await response.json()) as { report: object }
          await route.fulfill({ response, json: { ...answer, report: manyDays(answer.report) } })
        })
        await opened.goto('/stores/tried/experiments')
        await page.getByRole('cell', { name: 'Lanterns for tents' }).click()
        const panel = page.getByRole('dialog')
        await panel.getByText('Orders by day').waitFor()
        await panel.getByRole('img', { name: 'Orders so far' }).waitFor()
        await opened.check('experiments-by-day')
      },
      'a draft of the workbench becomes an experiment': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/tried/relevance')
        await page.getByRole('textbox', { name: /^Synonyms of the set/ }).fill('wigwam, tent')
        await page.getByText('Publish B (1)').waitFor()
        await page.getByRole('button', { name: 'Run as experiment' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('textbox', { name: 'Name' }).fill('Wigwams')
        await dialog.getByText('Split by visitor').click()
        await opened.check('experiments-start')
        await dialog.getByRole('button', { name: 'Start experiment' }).click()
        await page.getByText('No events yet for the goal').waitFor()
        await page.getByRole('button', { name: 'End', exact: true }).click()
        await page.getByText('Ended “Wigwams”').waitFor()
      },
    },
  },
]
