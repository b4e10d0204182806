import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { suite, test } from 'node:test'
import { guessFields } from './guess-fields.ts'
import { textOfHtml } from './html-text.ts'
import { openRows } from './rows.ts'
import type { Rows } from './rows.ts'

async function read(
  content: string,
  asRows = false,
): Promise<Rows & { products: unknown[]; errors: string[] }> {
  const open = (): Readable => Readable.from([Buffer.from(content)])
  const source = { name: 'file', format: 'csv', bytes: content.length, changedMs: 0, open } as const
  const rows = await openRows(source, { asRows })
  const products: unknown[] = []
  const errors: string[] = []
  for await (const row of rows.all) {
    if (row.kind === 'json') products.push(JSON.parse(row.text))
    else if (row.kind === 'ragged') errors.push(row.error)
    else products.push(row.cells)
  }
  return { ...rows, products, errors }
}

const SHOPIFY = `Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Inventory Qty,Variant Price,Variant Compare At Price,Image Src,Status
dome-tent,Dome tent,"<p>Room for <b>two</b> &amp; a dog</p>",Norrby,Tents,"camping, sale",true,Color,Red,Size,S,T-1,3,199.00,249.00,https://x.example/1.jpg,active
dome-tent,,,,,,,,Green,,L,T-2,4,189.00,,https://x.example/2.jpg,
dome-tent,,,,,,,,,,,,,,,https://x.example/3.jpg,
mug,Mug,,Kettleby,Kitchen,,true,Title,Default Title,,,M-1,80,12.5,,,active
`

suite('an export of a shop system', () => {
  test('of Shopify becomes products: variants and pictures are theirs', async () => {
    const { products, system, columns, sample } = await read(SHOPIFY)
    assert.equal(system, 'Shopify')
    assert.equal(columns, undefined)
    assert.deepEqual(products, [
      {
        id: 'dome-tent',
        data: {
          title: 'Dome tent',
          description: 'Room for two & a dog',
          brand: 'Norrby',
          product_type: 'Tents',
          status: 'active',
          image: 'https://x.example/1.jpg',
          price: 189,
          stock: 7,
          published: true,
          tags: ['camping', 'sale'],
          sku: ['T-1', 'T-2'],
          images: [1, 2, 3].map((i) => `https://x.example/${i}.jpg`),
          color: ['Red', 'Green'],
          size: ['S', 'L'],
        },
      },
      {
        id: 'mug',
        data: {
          title: 'Mug',
          brand: 'Kettleby',
          product_type: 'Kitchen',
          status: 'active',
          price: 12.5,
          stock: 80,
          published: true,
          sku: ['M-1'],
        },
      },
    ])
    const types = guessFields(sample).map(({ name, type }) => [name, type])
    assert.deepEqual(Object.fromEntries(types), {
      title: 'string',
      description: 'string',
      brand: 'string',
      product_type: 'string',
      status: 'string',
      image: 'string',
      price: 'float',
      stock: 'int32',
      published: 'bool',
      tags: 'string[]',
      sku: 'string[]',
      images: 'string[]',
      color: 'string[]',
      size: 'string[]',
    })
  })

  test('of Shopify has newer columns too', async () => {
    const { products } = await read(
      'Title,URL handle,Description,Vendor,Published on online store,SKU,Option1 name,Option1 value,Price,Compare-at price,Inventory quantity,Product image URL\nPot,pot,Steel,Fells,TRUE,P-1,Volume,2 l,"20,50",30,2,\n',
    )
    assert.deepEqual(products, [
      {
        id: 'pot',
        data: {
          title: 'Pot',
          description: 'Steel',
          brand: 'Fells',
          price: 20.5,
          price_before: 30,
          stock: 2,
          published: true,
          sku: ['P-1'],
          volume: ['2 l'],
        },
      },
    ])
  })

  test('of WooCommerce becomes products, with variations that come later', async () => {
    const { products, errors, system } =
      await read(`ID,Type,SKU,Name,Published,In stock?,Stock,Sale price,Regular price,Categories,Tags,Images,Parent,Attribute 1 name,Attribute 1 value(s)
10,variable,TS,T-shirt,1,1,,,,"Clothes > Shirts, Sale",men,"https://x.example/a.jpg, https://x.example/b.jpg",,Color,"Blue, Red"
11,simple,CAP,Cap,1,0,0,9,12,Clothes,,,,,
12,variation,TS-B,T-shirt blue,1,1,5,,25,,,,id:10,Color,Blue
13,variation,TS-R,T-shirt red,1,1,2,,22,,,,TS,Color,Red
14,variation,X,Lost,1,1,1,,1,,,,id:99,,
`)
    assert.equal(system, 'WooCommerce')
    assert.deepEqual(products, [
      {
        id: '11',
        data: {
          title: 'Cap',
          price: 9,
          price_before: 12,
          stock: 0,
          published: true,
          in_stock: false,
          categories: ['Clothes'],
          sku: ['CAP'],
        },
      },
      {
        id: '10',
        data: {
          title: 'T-shirt',
          image: 'https://x.example/a.jpg',
          price: 22,
          stock: 7,
          published: true,
          in_stock: true,
          images: ['https://x.example/a.jpg', 'https://x.example/b.jpg'],
          tags: ['men'],
          categories: ['Clothes > Shirts', 'Sale'],
          sku: ['TS', 'TS-B', 'TS-R'],
          color: ['Blue', 'Red'],
        },
      },
    ])
    assert.deepEqual(errors, [
      'the row is a variation of "id:99", which is not among the rows above',
    ])
  })

  test('stays rows when that is asked for, and other tables always do', async () => {
    const rows = await read(SHOPIFY, true)
    assert.equal(rows.products.length, 4)
    assert.ok(rows.columns?.includes('Handle'))
    assert.equal((await read('Title,Price\nMug,12\n')).system, undefined)
  })
})

suite('the text of HTML', () => {
  test('is what a reader sees', () => {
    assert.equal(textOfHtml('<p class="a>b">x</p>y'), 'b">x y')
    assert.equal(textOfHtml('1 < 2 &lt;b&gt; &unknown; <br/>end<'), '1 < 2 <b> &unknown; end<')
  })
})
