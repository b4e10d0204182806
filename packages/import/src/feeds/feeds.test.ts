import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { FileProfile } from '../profile/file-profile.ts'
import { proposalOf } from '../proposal/proposal-fixture.ts'
import { readFeed, rss } from './feed-fixture.ts'

const TENT = `<item>
  <g:id>T-1</g:id>
  <title>In the channel of a reader</title>
  <g:title>Dome tent &amp; pegs &#x2013; <![CDATA[<b>2</b> people]]></g:title>
  <description>Light, <b>very</b> light</description>
  <link>https://shop.example/t1</link>
  <pubDate>Sat, 28 Nov 2026 10:00:00 GMT</pubDate>
  <g:image_link>https://shop.example/t1.jpg</g:image_link>
  <g:additional_image_link>https://shop.example/t1b.jpg</g:additional_image_link>
  <g:price>1299.00 EUR</g:price>
  <g:sale_price>EUR 999,5</g:sale_price>
  <g:availability>In Stock</g:availability>
  <g:item_group_id>0042</g:item_group_id>
  <g:gtin>04006381333931</g:gtin>
  <g:mpn>DT-2/R</g:mpn>
  <g:identifier_exists>no</g:identifier_exists>
  <g:product_type>Outdoor &gt; Tents</g:product_type>
  <g:google_product_category>1016</g:google_product_category>
  <g:shipping><g:country>DE</g:country><g:price>4.90 EUR</g:price></g:shipping>
  <g:shipping>CH::Post:12 CHF</g:shipping>
  <g:product_detail>
    <g:section_name>Size</g:section_name><g:attribute_name>Height</g:attribute_name>
    <g:attribute_value>1:20 m</g:attribute_value>
  </g:product_detail>
  <g:custom_label_0>summer</g:custom_label_0><g:custom_label_3>margin</g:custom_label_3>
  <g:size>2</g:size><g:size>3</g:size><g:color/>
</item>
`
const TENT_DATA = {
  title: 'Dome tent & pegs – <b>2</b> people',
  description: 'Light, very light',
  link: 'https://shop.example/t1',
  image_link: 'https://shop.example/t1.jpg',
  additional_image_link: ['https://shop.example/t1b.jpg'],
  price: 1299,
  currency: 'EUR',
  sale_price: 999.5,
  availability: 'in_stock',
  item_group_id: '0042',
  gtin: '04006381333931',
  mpn: 'DT-2/R',
  identifier_exists: false,
  product_type: 'Outdoor > Tents',
  google_product_category: '1016',
  shipping: [
    { country: 'DE', price: 4.9, currency: 'EUR' },
    { country: 'CH', service: 'Post', price: 12, currency: 'CHF' },
  ],
  product_detail: [{ section_name: 'Size', attribute_name: 'Height', attribute_value: '1:20 m' }],
  custom_labels: { label_0: 'summer', label_3: 'margin' },
  size: ['2', '3'],
}

suite('a product feed', () => {
  test('of RSS becomes documents', async () => {
    const { entries, error, system } = await readFeed(rss(TENT))
    assert.equal(error, undefined)
    assert.equal(system, 'Google Merchant')
    assert.deepEqual(entries, [{ id: 'T-1', data: TENT_DATA }])
  })

  test('of Atom becomes documents', async () => {
    const { entries, error } =
      await readFeed(`<feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="http://base.google.com/ns/1.0">
      <title>Shop</title><link rel="self" href="https://shop.example/feed"/><updated>2026-11-28T10:00:00Z</updated>
      <entry><id>tag:1</id><title>Mug</title><link href="https://shop.example/m"/><link rel="edit" href="https://shop.example/edit"/>
      <summary type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Holds <i>tea</i></div></summary><content>More</content>
      <x:price>12.50 GBP</x:price><m:x xmlns:m="http://search.yahoo.com/mrss/">other</m:x></entry></feed>`)
    assert.equal(error, undefined)
    const data = {
      price: 12.5,
      currency: 'GBP',
      title: 'Mug',
      link: 'https://shop.example/m',
      description: 'Holds tea',
    }
    assert.deepEqual(entries, [{ id: 'tag:1', data }])
  })

  test('of Google as TSV becomes documents', async () => {
    const { entries, system } = await readFeed(
      [
        'id\ttitle\tlink\timage link\tadditional image link\tprice\tavailability\tshipping(country:price)\tcustom label 0',
        'A\tPot "big"\thttps://s.example/a\thttps://s.example/a.jpg\thttps://s.example/b.jpg,https://s.example/c.jpg\t20 USD\tout of stock\tUS:6.49 USD,CA:9 CAD\tx',
        'B\tPan\thttps://s.example/b',
      ].join('\n'),
      { format: 'tsv' },
    )
    assert.equal(system, 'Google Merchant')
    const data = {
      title: 'Pot "big"',
      link: 'https://s.example/a',
      image_link: 'https://s.example/a.jpg',
      additional_image_link: ['https://s.example/b.jpg', 'https://s.example/c.jpg'],
      price: 20,
      currency: 'USD',
      availability: 'out_of_stock',
      shipping: [
        { country: 'US', price: 6.49, currency: 'USD' },
        { country: 'CA', price: 9, currency: 'CAD' },
      ],
      custom_labels: { label_0: 'x' },
    }
    assert.deepEqual(entries[0], { id: 'A', data })
    assert.equal((entries[1] as { kind: string }).kind, 'ragged')
  })

  test('of Meta as CSV becomes documents', async () => {
    const csv = [
      'id,title,description,availability,condition,price,link,image_link,brand,item_group_id,image[0].url,product_tags[0],product_tags[1],sale_price',
      'A,Pot,"Steel, big",in stock,New,"20,00 EUR",https://s.example/a,https://s.example/a.jpg,Fells,g1,https://s.example/b.jpg,kitchen,steel,',
    ].join('\n')
    const { entries, system } = await readFeed(csv, { format: 'csv' })
    assert.equal(system, 'Meta')
    const data = {
      title: 'Pot',
      description: 'Steel, big',
      availability: 'in_stock',
      condition: 'new',
      price: 20,
      currency: 'EUR',
      link: 'https://s.example/a',
      image_link: 'https://s.example/a.jpg',
      brand: 'Fells',
      item_group_id: 'g1',
      additional_image_link: ['https://s.example/b.jpg'],
      product_tags: ['kitchen', 'steel'],
    }
    assert.deepEqual(entries, [{ id: 'A', data }])
    const plain = await readFeed(csv, { format: 'csv', asRows: true })
    assert.equal((plain.entries[0] as { kind: string }).kind, 'table')
  })

  test('stays as it is when that is asked for', async () => {
    const { entries } = await readFeed(
      rss(
        '<item><g:id>1</g:id><g:price>5 EUR</g:price><g:size>1</g:size><g:size>2</g:size></item>',
      ),
      { asRows: true },
    )
    assert.deepEqual(entries, [{ id: '1', price: '5 EUR', size: ['1', '2'] }])
  })

  test('has prices as people write them, too', async () => {
    for (const [text, price, currency] of [
      ['1299 QAR', 1299, 'QAR'],
      ['1,299.00 EUR', 1299, 'EUR'],
      ['1.299,00 EUR', 1299, 'EUR'],
      ['EUR 14,99', 14.99, 'EUR'],
      ['$5', 5, 'USD'],
      ['0.5', 0.5, undefined],
      ['10 %', '10 %', undefined],
    ] as const) {
      const { entries } = await readFeed(
        rss(`<item><g:id>1</g:id><g:price>${text}</g:price></item>`),
      )
      const data = { price, ...(currency === undefined ? {} : { currency }) }
      assert.deepEqual(entries, [{ id: '1', data }])
    }
  })

  test('keeps what is not a price as text, and another currency beside', async () => {
    const { entries } = await readFeed(
      rss(
        '<item><g:id>1</g:id><g:price>from 5 EUR</g:price></item><item><g:id>2</g:id><g:price>1.5 EUR</g:price><g:sale_price>2 USD</g:sale_price></item>',
      ),
    )
    assert.deepEqual(entries, [
      { id: '1', data: { price: 'from 5 EUR' } },
      { id: '2', data: { price: 1.5, currency: 'EUR', sale_price: 2, sale_price_currency: 'USD' } },
    ])
  })

  for (const [encoding, label] of [
    ['windows-1252', 'windows-1252'],
    ['ISO-8859-1', 'windows-1252'],
    ['UTF-8', 'utf-8'],
  ] as const) {
    test(`is read in the encoding ${encoding} that it declares`, async () => {
      const text = rss(
        '<item><g:id>1</g:id><g:title>Größe é</g:title></item>',
        `<?xml version="1.0" encoding="${encoding}"?>\n`,
      )
      const read = await readFeed(Buffer.from(text, label === 'utf-8' ? 'utf8' : 'latin1'))
      assert.equal(read.encoding.label, label)
      assert.deepEqual(read.entries, [{ id: '1', data: { title: 'Größe é' } }])
    })
  }

  test('is read as UTF-16, and after a byte order mark', async () => {
    const text = `\uFEFF${rss('<item><g:id>ü</g:id></item>', '<?xml version="1.0" encoding="utf-16"?>')}`
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text)]) {
      assert.deepEqual((await readFeed(bytes)).entries, [{ id: 'ü', data: {} }])
    }
    await assert.rejects(readFeed('<?xml version="1.0" encoding="klingon"?><rss/>'), /klingon/)
  })

  test('is unpacked if it is compressed, and a cut file says so', async () => {
    const packed = gzipSync(rss(TENT.repeat(3)))
    assert.equal((await readFeed(packed)).entries.length, 3)
    for (const bad of [packed.subarray(0, packed.length - 20), Buffer.concat([packed, packed])]) {
      await assert.rejects(readFeed(bad), /not one whole gzip file: it is damaged, cut, or several/)
    }
  })

  test('suggests a schema: words, facets, levels, and the group of variants', async () => {
    const items = Array.from({ length: 8 }, (_, i) =>
      TENT.replace('T-1', `T-${i}`)
        .replace('0042', `00${i >> 1}`)
        .replace('1299.00', `${i}.00`)
        .replace('Tents', i % 2 === 0 ? 'Tents' : 'Pegs'),
    )
    const { entries } = await readFeed(rss(items.join('')))
    const profile = new FileProfile({ columns: undefined, listSeparator: '|', idColumn: 'id' })
    for (const entry of entries) profile.add({ kind: 'json', text: JSON.stringify(entry) })
    const { fields, distinct } = proposalOf(profile)
    const shown = fields.map(({ name, type, ...roles }) => [
      name,
      [type, ...Object.keys(roles)].join(' '),
    ])
    assert.deepEqual(Object.fromEntries(shown), {
      title: 'string searchable facet',
      description: 'string searchable facet',
      link: 'string',
      image_link: 'string',
      additional_image_link: 'string[]',
      price: 'float facet sort',
      currency: 'string facet',
      sale_price: 'float facet sort',
      availability: 'string facet',
      item_group_id: 'string facet',
      gtin: 'string searchable facet',
      mpn: 'string searchable facet',
      identifier_exists: 'bool facet',
      product_type: 'string searchable facet',
      'product_type.lvl0': 'string facet',
      'product_type.lvl1': 'string facet',
      google_product_category: 'string searchable facet',
      shipping: 'object[]',
      'shipping.country': 'string facet',
      'shipping.price': 'float facet',
      'shipping.currency': 'string facet',
      'shipping.service': 'string facet',
      product_detail: 'object[]',
      'product_detail.section_name': 'string searchable facet',
      'product_detail.attribute_name': 'string searchable facet',
      'product_detail.attribute_value': 'string searchable facet',
      custom_labels: 'object',
      'custom_labels.label_0': 'string facet',
      'custom_labels.label_3': 'string facet',
      size: 'string[] searchable facet',
    })
    assert.equal(distinct, 'item_group_id')
  })
})
