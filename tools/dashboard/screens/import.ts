import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { ScreenPage } from '../screen-page.ts'
import type { ScreenTest } from '../screen-test.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> 🏕️'
const CSV = [
  'SKU;Product Name;Price;Tags;In Stock;Comment',
  's1;"Tent; for two";199.5;red|blue;yes;x',
  `s2;"${HOSTILE.replaceAll('"', '""')}";12;green;no;y`,
  's3;Lantern;cheap;;yes;z',
].join('\n')

const GERMAN = [
  'Artikelnummer;Titel;Preis;Ab;Kategorie;Vegan;Beschreibung',
  ...Array.from({ length: 9 }, (_, i) =>
    [
      `a${i + 1}`,
      `Zelt ${i + 1}`,
      i === 0 ? '1.299,50 €' : `${i},99 €`,
      `03/0${(i % 5) + 4}/2025`,
      ['Outdoor > Zelte', 'Outdoor > Kocher', 'Wohnen > Lampen'][i % 3],
      i % 2 === 0 ? 'ja' : 'nein',
      '"<p>Warm &amp; leicht</p>"',
    ].join(';'),
  ),
  'a2;Zelt 2b;5,00 €;03/04/2025;Outdoor > Zelte;ja;<p>Neu</p>',
  'a3;Zelt 3b;5,00 €;03/04/2025;Outdoor > Zelte;ja;<p>Neu</p>',
  ';Ohne;5,00 €;03/04/2025;Outdoor > Zelte;ja;<p>Neu</p>',
].join('\n')

/** As pgvector and pandas write the vectors of a language model. */
const VECTORS = [
  'id,title,embedding',
  ...['Gas stove', 'Titanium pot', 'Tent'].map((title, i) => {
    const values = Array.from({ length: 32 }, (_, d) => (d === i ? 0.5 : 0.125).toFixed(3))
    return `v${i},${title},"[${values.join(', ')}]"`
  }),
  'v3,Map,',
].join('\n')

const FEED = `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${[0, 1, 2, 3]
  .map(
    (i) => `<item><g:id>t${i}</g:id><g:item_group_id>g${i >> 1}</g:item_group_id>
    <g:title><![CDATA[Tent <${i}>]]></g:title><g:price>2${i}.50 EUR</g:price>
    <g:availability>in stock</g:availability><g:product_type>Outdoor &gt; Tents</g:product_type>
    <g:shipping><g:country>DE</g:country><g:price>4.90 EUR</g:price></g:shipping></item>`,
  )
  .join('')}</channel></rss>`

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'import',
    login: 'editor',
    prepare: (session) => session.createStore('import', { name: 'Import shop', products: 0 }),
    address: () => '/stores/import/import',
    shows: 'Drop a product file here',
    paths: {
      'a table goes in: columns, types, preview, refused rows as a file': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/import/import')
        await choose(opened, 'shop.csv', CSV)
        await page.getByText('6 fields will be added').waitFor()
        await page.getByRole('button', { name: /Type of price/ }).click()
        await page.getByRole('option', { name: 'float', exact: true }).click()
        await page.getByRole('button', { name: /Field of Comment/ }).click()
        await page.getByRole('option', { name: 'Leave out' }).click()
        await page.getByText('1 of them would be refused').waitFor()
        await opened.check('import-plan')
        // What was chosen is still there after a look at another page.
        await page.getByRole('link', { name: 'Rules' }).click()
        await page.getByRole('link', { name: 'Import' }).click()
        await page.getByText('1 of them would be refused').waitFor()
        await page.getByRole('button', { name: /and start import$/ }).click()
        await page.getByText('Done').waitFor()
        await opened.check('import-done')
        const file = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Download refused rows' }).click()
        const failed = JSON.parse(readFileSync(await (await file).path(), 'utf8')) as {
          row: number
        }
        assert.equal(failed.row, 3)
        const { data } = await store.call<{ data: unknown }>('GET', '/documents/s1')
        assert.deepEqual(data, {
          product_name: 'Tent; for two',
          price: 199.5,
          tags: ['red', 'blue'],
          in_stock: true,
          sku: 's1',
        })
      },
      'a German file: formats are asked about, ids are counted, levels and currency are made':
        async (opened, { session }) => {
          const store = await session.createStore('import-german', { products: 0 })
          const { page } = opened
          await opened.goto('/stores/import-german/import')
          await choose(opened, 'katalog.csv', GERMAN)
          await page.getByText('2 rows have the id of an earlier row').waitFor()
          await page.getByText('1 of 12 rows has no id: row 12').waitFor()
          await page.getByText('The format of “Ab” is ambiguous').waitFor()
          await opened.check('import-german')
          const start = page.getByRole('button', { name: /and start import$/ })
          assert.equal(await start.isDisabled(), true)
          await page.getByRole('button', { name: /Date format of Ab/ }).click()
          await page.getByRole('option', { name: '31/12/2025' }).click()
          await page.getByText('is ambiguous').waitFor({ state: 'detached' })
          await start.click()
          await page.getByText('2 rows had the id of an earlier row').waitFor()
          await opened.check('import-german-done')
          const { data } = await store.call<{ data: Record<string, unknown> }>(
            'GET',
            '/documents/a1',
          )
          assert.deepEqual(data, {
            artikelnummer: 'a1',
            titel: 'Zelt 1',
            preis: 1299.5,
            currency: 'EUR',
            ab: '2025-04-03',
            kategorie: 'Zelte',
            'kategorie.lvl0': 'Outdoor',
            'kategorie.lvl1': 'Outdoor > Zelte',
            vegan: true,
            beschreibung: 'Warm & leicht',
          })
          assert.deepEqual(opened.faults, [])
        },
      'a column of vectors becomes a field of them, with its dimensions': async (
        opened,
        { session },
      ) => {
        const store = await session.createStore('import-vectors', { products: 0 })
        const { page } = opened
        await opened.goto('/stores/import-vectors/import')
        await choose(opened, 'embedded.csv', VECTORS)
        await page.getByText('2 fields will be added').waitFor()
        await page.getByText('Vectors of 32 dimensions').waitFor()
        // It is what it is: another type would lose its numbers.
        const type = page.getByRole('button', { name: /Type of embedding/ })
        assert.match((await type.textContent()) ?? '', /^vector/)
        const search = page.getByRole('checkbox', { name: 'Search by embedding' })
        assert.equal(await search.isDisabled(), true)
        await opened.check('import-vectors')
        await page.getByRole('button', { name: /and start import$/ }).click()
        await page.getByText('Done').waitFor()
        const { fields } = await store.call<{ fields: { name: string }[] }>('GET', '/schema')
        const field = fields.find(({ name }) => name === 'embedding')
        assert.deepEqual(field, { ...field, type: 'vector', dimensions: 32 })
      },
      'a compressed product feed becomes products, and its variants are grouped': async (
        opened,
        { session },
      ) => {
        const store = await session.createStore('import-feed', { products: 0 })
        const { page } = opened
        await opened.goto('/stores/import-feed/import')
        await choose(opened, 'feed.xml.gz', gzipSync(FEED))
        await page.getByText('Variants of a product share “item_group_id”').waitFor()
        await opened.check('import-feed')
        await page.getByRole('button', { name: /and start import$/ }).click()
        await page.getByText('Done').waitFor()
        const { data } = await store.call<{ data: unknown }>('GET', '/documents/t0')
        assert.deepEqual(data, {
          item_group_id: 'g0',
          title: 'Tent <0>',
          price: 20.5,
          currency: 'EUR',
          availability: 'in_stock',
          product_type: 'Tents',
          'product_type.lvl0': 'Outdoor',
          'product_type.lvl1': 'Outdoor > Tents',
          shipping: [{ country: 'DE', price: 4.9, currency: 'EUR' }],
        })
        const { distinct } = await store.call<{ distinct: unknown }>('GET', '/settings')
        assert.deepEqual(distinct, { field: 'item_group_id', limit: 1 })
        assert.deepEqual(opened.faults, [])
      },
      'fields that the store lacks are asked about once, all of them': async (
        opened,
        { session },
      ) => {
        await session.createStore('import-known', { products: 3 })
        const { page } = opened
        await opened.goto('/stores/import-known/import')
        await choose(
          opened,
          'more.csv',
          'id,title,Shade,Grip\nx1,Pole,dark,cork\nx2,Peg,light,oak\n',
        )
        await page.getByText('The file has 2 fields that the store lacks: shade, grip').waitFor()
        const start = page.getByRole('button', { name: /start import$/ })
        assert.equal(await start.isDisabled(), true)
        await opened.check('import-unknown')
        await page.getByText('Skip', { exact: true }).first().click()
        await page.getByRole('button', { name: 'Start import', exact: true }).click()
        await page.getByText('Done').waitFor()
      },
      'a large file is paused, goes on while other pages are open, is cancelled and resumed':
        async (opened, { session }) => {
          await session.createStore('import-large', { products: 0 })
          const { page } = opened
          await opened.goto('/stores/import-large/import')
          const lines = Array.from({ length: 12_000 }, (_, i) =>
            JSON.stringify({
              id: `p${i}`,
              title: `Tent number ${i}`,
              price: i / 4,
              about: 'x'.repeat(300),
            }),
          )
          await choose(opened, 'many.jsonl', lines.join('\n'))
          await page.getByRole('button', { name: /start import$/ }).click()
          await page.getByRole('button', { name: 'Pause import' }).click()
          await page.getByRole('button', { name: 'Continue import' }).waitFor()
          await opened.check('import-paused')
          await page.getByRole('button', { name: 'Continue import' }).click()
          await page.getByRole('link', { name: 'Rules' }).click()
          await page
            .getByRole('region', { name: 'Import' })
            .getByText(/Import(ing|ed) many.jsonl/)
            .waitFor()
          await opened.picture('import-elsewhere')
          await page.getByRole('link', { name: /Import(ing|ed) many.jsonl/ }).click()
          await page.getByRole('button', { name: 'Cancel import' }).click()
          await page.getByRole('button', { name: /^Continue after row/ }).click()
          await page.getByRole('link', { name: 'See products' }).waitFor({ timeout: 30_000 })
          await page.getByText('12,000', { exact: true }).waitFor()
          assert.deepEqual(opened.faults, [])
        },
      'a file that is none of these is refused with its reason': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/import/import')
        await choose(opened, 'a.csv', 'a,a\n1,2\n')
        await page.getByText('has two columns "a"').waitFor()
        await opened.check('import-unreadable')
        await choose(opened, 'a.xml', '<!DOCTYPE rss>\n<rss/>')
        await page.getByText('line 1, column 14: a DOCTYPE is not allowed').waitFor()
      },
    },
  },
]

async function choose({ page }: ScreenPage, name: string, content: string | Buffer): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content as string) })
}
