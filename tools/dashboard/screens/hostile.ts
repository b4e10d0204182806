import assert from 'node:assert/strict'
import { LOGINS } from '../dashboard-session.ts'
import { createHostileStore, hostileEvents } from '../hostile-store.ts'
import { HOSTILE_STRINGS } from '../hostile-strings.ts'
import { WIDTHS, type ScreenPage } from '../screen-page.ts'
import type { ScreenTest } from '../screen-test.ts'
import { sendEvents } from '../visitor-history.ts'

const STORE_ID = 'odd-texts'
const STORE = `/stores/${STORE_ID}`
const MARKUP = encodeURIComponent(HOSTILE_STRINGS[0]!)
const FIRST_ID = encodeURIComponent(`0 ${HOSTILE_STRINGS[0]!}`)
const LONG = 'W'.repeat(900)

/** Every screen with what opens on it, and how many of the strings are at least read there. */
const PLACES: readonly (readonly [address: string, strings: number])[] = [
  ['/stores', 10],
  [`/stores?delete=${STORE_ID}`, 10],
  [`${STORE}/overview`, 3],
  [`${STORE}/preview?q=*&per_page=100`, 40],
  [`${STORE}/preview?q=${MARKUP}&hit=${FIRST_ID}`, 1],
  [`${STORE}/preview?q=${LONG}`, 0],
  [`${STORE}/relevance?set=hostile`, 10],
  [`${STORE}/rules`, 20],
  [`${STORE}/rules?rule=rule-0`, 3],
  [`${STORE}/rules?rule=rule-60`, 3],
  [`${STORE}/rules?list=order`, 3],
  [`${STORE}/rules?list=strategies`, 10],
  [`${STORE}/categories`, 10],
  [`${STORE}/synonyms`, 15],
  [`${STORE}/stop-words`, 15],
  [`${STORE}/facets`, 10],
  [`${STORE}/collections`, 10],
  [`${STORE}/collections?collection=odd%200`, 1],
  [`${STORE}/presets`, 0],
  [`${STORE}/presets?preset=preset%200`, 1],
  [`${STORE}/documents`, 80],
  [`${STORE}/documents?open=${FIRST_ID}`, 80],
  [`${STORE}/schema`, 100],
  [`${STORE}/import`, 1],
  [`${STORE}/analytics?tab=queries`, 10],
  [`${STORE}/analytics?tab=queries&query=${MARKUP}`, 10],
  [`${STORE}/analytics?tab=products`, 10],
  [`${STORE}/analytics?tab=filters`, 10],
  [`${STORE}/analytics?tab=events`, 10],
  [`${STORE}/suggestions`, 10],
  [`${STORE}/suggestions?tab=blocked`, 10],
  [`${STORE}/events`, 10],
  [`${STORE}/keys`, 1],
  [`${STORE}/settings`, 1],
  ['/people', 3],
  [`/people?open=${LOGINS.editor}`, 3],
  ['/audit', 3],
  ['/service', 1],
  [`/explorer?store=${STORE_ID}`, 1],
]

/** Elements and attributes that no page of ours has. */
const NEVER_OURS =
  'script, iframe, base, meta, template[shadowrootmode], object, embed, form[action], [onerror], [onload], [onclick]'

/** The text of the page with its fields, what is none of ours, and where links lead. */
const READ = `({
  text: [
    document.body.textContent,
    ...Array.from(document.querySelectorAll('input, textarea'), ({ value }) => value),
  ].join('\\n'),
  foreign: Array.from(document.body.querySelectorAll(${JSON.stringify(NEVER_OURS)}), ({ outerHTML }) =>
    outerHTML.slice(0, 200)),
  links: Array.from(document.querySelectorAll('a[href]'), ({ href }) => href),
})`

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'hostile',
    login: 'owner',
    prepare: (session) => createHostileStore(session, STORE_ID),
    address: () => `${STORE}/preview?q=*`,
    shows: HOSTILE_STRINGS[0]!,
    paths: {
      '200 hostile strings are text on every screen, and move nothing out of its place': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        page.on('dialog', (dialog) => {
          opened.faults.push(`a dialog: ${dialog.message()}`)
          void dialog.dismiss()
        })
        const faults: string[] = []
        await opened.goto('/stores')
        for (const [address, least] of PLACES) {
          await opened.visit(address)
          if (address.endsWith('/events')) {
            await page.getByText('0 per second').waitFor()
            await sendEvents(session.service.url, store, hostileEvents().slice(0, 300))
            await page.getByRole('row').nth(20).waitFor()
          }
          for (const width of WIDTHS) {
            await opened.resize(width)
            opened.faults.push(...(await opened.overflow()))
            const { strings, odd } = await readPage(opened)
            if (width === WIDTHS[0] && strings < least)
              opened.faults.push(`only ${strings} of the strings are read`)
            opened.faults.push(...odd)
            const found = opened.faults.splice(0)
            faults.push(...found.map((fault) => `${address}, ${width} px: ${fault}`))
          }
        }
        assert.deepEqual(faults, [])
        // Further tests list all stores.
        const { stores } = await session.admin<{ stores: { store_id: string }[] }>('GET', '/stores')
        for (const { store_id: id } of stores)
          if (id.startsWith(`${STORE_ID}-`)) await session.admin('DELETE', `/stores/${id}`)
      },
    },
  },
]

/**
 * How many of the strings are in the text of the page, and what is in it that nobody of ours
 * has written.
 */
async function readPage({ page }: ScreenPage): Promise<{ strings: number; odd: string[] }> {
  const { text, foreign, links } = await page.evaluate<{
    readonly text: string
    readonly foreign: readonly string[]
    readonly links: readonly string[]
  }>(READ)
  const shown = flat(text)
  const odd = [
    ...foreign,
    ...links.filter((href) => new URL(href).origin !== new URL(page.url()).origin),
  ]
  return {
    // Some places keep or show only the beginning.
    strings: HOSTILE_STRINGS.filter((one) => shown.includes(flat(one.slice(0, 60)))).length,
    odd: odd.map((one) => `not of ours: ${one}`),
  }
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
