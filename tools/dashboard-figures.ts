import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeMachine } from '../bench/lib/machine.ts'
import { DashboardSession } from './dashboard/dashboard-session.ts'
import { BrowserGauge } from './dashboard/browser-gauge.ts'
import { ScreenPage } from './dashboard/screen-page.ts'
import { sendEvents, sendHistory } from './dashboard/visitor-history.ts'
import { findCatalog, unpackedFolder } from './lib/data-folder.ts'
import { textTable } from './lib/text-table.ts'

/** Speed and memory of the dashboard in a real browser, which a test cannot hold on any machine. */
const HELP = `Speed and memory of the dashboard in Chromium, over its own service.

  npm run dashboard-figures
  npm run dashboard-figures -- --only scroll,tail

  --data FOLDER   where the data sets are (AISLE_DATASETS; ../shared/data)
  --only A,B      open, screens, import, scroll, tail
  --seconds S     how long the live tail runs (120)
`
const FIRST_LOADS = 7
const ROWS = 10_000
const SCROLLS = 400
const EVENTS_PER_SECOND = 200
/** A tail of 2,000 rows is full after ten seconds. */
const TAIL_FULL_SECONDS = 12
const IMPORT_MAX_MS = 600_000

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '120' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit()
}
/** What is there when a screen of a store with traffic can be used, by its path. */
const USABLE: Readonly<Record<string, string>> = {
  overview: 'Top searches',
  documents: '1–100 of 2,',
  preview: '1–24 of 2,',
  'missed-searches': 'zelt',
  analytics: 'Where visitors click',
  rules: 'No rules yet',
  settings: 'Language of the products',
}

const MEASURES: Readonly<Record<string, () => Promise<Figures>>> = {
  open: measureOpening,
  screens: measureScreens,
  import: measureImport,
  scroll: measureScrolling,
  tail: measureTail,
}
type Figures = readonly (readonly [what: string, figure: string])[]

const wanted = values.only?.split(',') ?? Object.keys(MEASURES)
const machine = describeMachine()
const session = await DashboardSession.start()
try {
  const figures: (readonly string[])[] = []
  for (const name of wanted) {
    const measure = MEASURES[name]
    if (measure === undefined) throw new Error(`There is no figure "${name}"`)
    figures.push(...(await measure()))
  }
  const { cpu, cores, date, commit, load } = machine
  process.stdout.write(`${textTable([['what', 'figure'], ...figures])}\n\n`)
  process.stdout.write(`${date}, ${commit}, ${cores} cores of ${cpu}, load ${load}\n`)
} finally {
  await session.stop()
}

/** From the address until the page can be used, with nothing in the cache of the browser. */
async function measureOpening(): Promise<Figures> {
  const store = await session.createStore('figures-open')
  const times: number[] = []
  for (let i = 0; i < FIRST_LOADS; i++) {
    const { page, close } = await open('owner')
    await page.goto(`${session.service.url}/stores/${store.id}/overview`, { waitUntil: 'commit' })
    await page.getByRole('main').getByText('Connect your shop').waitFor()
    times.push(await page.evaluate<number>('performance.now()'))
    await close()
  }
  const sorted = times.toSorted((a, b) => a - b)
  return [
    ['a page is usable, cold, median', milliseconds(sorted[Math.floor(sorted.length / 2)]!)],
    ['a page is usable, cold, slowest', milliseconds(sorted.at(-1)!)],
  ]
}

/** Screens by turns, each with nothing in the cache of the browser. */
async function measureScreens(): Promise<Figures> {
  const store = await session.createStore('figures-screens', { products: Infinity })
  await sendHistory(session.service.url, store, { journeys: 3_000 })
  const times = new Map(Object.keys(USABLE).map((path) => [path, [] as number[]]))
  for (let i = 0; i < FIRST_LOADS; i++) {
    for (const [path, shows] of Object.entries(USABLE)) {
      const { page, close } = await open('owner')
      await page.goto(`${session.service.url}/stores/${store.id}/${path}`, { waitUntil: 'commit' })
      await page.getByRole('main').getByText(shows).first().waitFor()
      times.get(path)!.push(await page.evaluate<number>('performance.now()'))
      await close()
    }
  }
  return [...times].map(([path, all]) => {
    const sorted = all.toSorted((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)]!
    return [
      `${path} is usable, cold: median, slowest`,
      `${milliseconds(median)}, ${milliseconds(sorted.at(-1)!)}`,
    ]
  })
}

/** amazon_in through the wizard, as a person would. */
async function measureImport(): Promise<Figures> {
  const catalog = findCatalog(unpackedFolder(values.data), 'amazon_in')
  const store = await session.createStore('figures-import', { products: 0 })
  await store.call('POST', '/schema', JSON.parse(readFileSync(catalog.schemaFile, 'utf8')))
  const { page, gauge, close } = await open('editor')
  await page.goto(`${session.service.url}/stores/${store.id}/import`)
  await page.locator('input[type=file]').setInputFiles(catalog.productsFile)
  const before = await gauge.heapBytes()
  const startMs = performance.now()
  await page.getByRole('button', { name: /start import$/i }).click()
  let peak = before
  const isDone = page.getByRole('link', { name: 'See products' })
  while (!(await isDone.isVisible())) {
    if (performance.now() - startMs > IMPORT_MAX_MS) throw new Error('The import does not end')
    peak = Math.max(peak, await gauge.usedBytes())
    await sleep(1_000)
  }
  const seconds = (performance.now() - startMs) / 1_000
  const { documents } = await session.admin<{ documents: number }>('GET', `/stores/${store.id}`)
  const after = await gauge.heapBytes()
  await close()
  return [
    ['import of amazon_in through the wizard', `${seconds.toFixed(0)} s`],
    ['its products', `${documents}, ${(documents / seconds).toFixed(0)} a second`],
    ['heap of its page: before, most, after', [before, peak, after].map(megabytes).join(', ')],
  ]
}

/** A wheel that turns over a list of 10,000 rows. */
async function measureScrolling(): Promise<Figures> {
  const store = await session.createStore('figures-scroll', { products: 0 })
  const items = Array.from({ length: ROWS }, (_, i) => ({
    synonyms: [`word ${i}`, `other ${i}`, `third ${i}`],
  }))
  await store.call('PUT', '/synonym-sets/many', { items })
  const { page, gauge, close } = await open('editor')
  await page.goto(`${session.service.url}/stores/${store.id}/synonyms`)
  await page.getByRole('row').nth(20).hover()
  const frames = await gauge.frames(async () => {
    for (let i = 0; i < SCROLLS; i++) await page.mouse.wheel(0, 120)
  })
  const drawn = await page.getByRole('row').count()
  await close()
  return [
    [`frames while ${ROWS} rows scroll, p50, p95`, quantiles(frames.intervalsMs)],
    ['until the page is free again, p50, p95', quantiles(frames.workMs)],
    ['rows in the page', String(drawn)],
  ]
}

/** 200 events a second; the heap counts what is left after a collection. */
async function measureTail(): Promise<Figures> {
  const store = await session.createStore('figures-tail', { products: 0 })
  const { page, gauge, close } = await open('analyst')
  await page.goto(`${session.service.url}/stores/${store.id}/events`)
  await page.getByText('0 per second').waitFor()
  const seconds = Number(values.seconds)
  const startMs = performance.now()
  let sent = 0
  const heaps: number[] = []
  for (let second = 0; second < seconds; second++) {
    await sendEvents(session.service.url, store, manyEvents(sent))
    sent += EVENTS_PER_SECOND
    if (second === TAIL_FULL_SECONDS || second === Math.floor(seconds / 2))
      heaps.push(await gauge.heapBytes())
    await sleep(Math.max(0, startMs + (second + 1) * 1_000 - performance.now()))
  }
  heaps.push(await gauge.heapBytes())
  const rate = sent / ((performance.now() - startMs) / 1_000)
  const rows = await page.getByRole('row').count()
  await close()
  return [
    [`events a second into a live tail, for ${seconds} s`, rate.toFixed(0)],
    [
      `heap of its page at ${TAIL_FULL_SECONDS} s, half-way, at the end`,
      heaps.map(megabytes).join(', '),
    ],
    ['rows in the page', String(rows)],
  ]
}

function manyEvents(from: number): readonly object[] {
  return Array.from({ length: EVENTS_PER_SECOND }, (_, i) => ({
    type: 'track',
    event: 'Search Submitted',
    messageId: `many-${from + i}`,
    anonymousId: `visitor-${(from + i) % 997}`,
    timestamp: new Date().toISOString(),
    properties: { search_id: `s-${from + i}`, query: `tent ${(from + i) % 89}`, num_found: 12 },
  }))
}

async function open(login: 'owner' | 'editor' | 'analyst') {
  const opened = await ScreenPage.open(session, { login })
  const { page } = opened
  return { page, gauge: await BrowserGauge.of(page), close: () => opened.discard() }
}

function quantiles(ms: readonly number[]): string {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number): string =>
    `${(sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1)} ms`
  return `${at(0.5)}, ${at(0.95)}`
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(0)} ms`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
