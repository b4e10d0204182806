import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { SitemapConnection } from '@aisle/contract'
import { SourceError } from '../source-error.ts'
import { readRows } from '../test/read-rows.ts'
import { SmallWeb } from '../test/small-web.ts'
import { pageProducts } from './page-products.ts'
import { readRobots } from './robots.ts'
import { sitemapEntries } from './sitemap-urls.ts'

const web = await SmallWeb.start()
after(() => web.close())

const jsonLd = (value: unknown): string =>
  `<html><SCRIPT type="application/ld+json">${JSON.stringify(value)}</SCRIPT></html>`
const site = (more: Partial<SitemapConnection> = {}): SitemapConnection => ({
  kind: 'sitemap',
  url: `${web.root}/sitemap.xml`,
  requests_per_second: 20,
  ...more,
})
const urls = (...paths: string[]): string =>
  `<urlset>${paths.map((path) => `<url><loc>${web.root}${path}</loc></url>`).join('')}</urlset>`

suite('product pages of a sitemap', () => {
  test('are read as far as robots.txt allows, and only on their own site', async () => {
    web.answers.set('/robots.txt', 'User-agent: *\nDisallow: /private/\nAllow: /private/shown')
    web.answers.set(
      '/sitemap.xml',
      `<sitemapindex><sitemap><loc>${web.root}/products.xml</loc></sitemap></sitemapindex>`,
    )
    const elsewhere = '<url><loc>https://elsewhere.example/p</loc></url></urlset>'
    const listed = urls('/p/1', '/p/2', '/gone', '/private/x', '/private/shown')
    web.answers.set('/products.xml', listed.replace('</urlset>', elsewhere))
    for (const path of ['/p/1', '/p/2', '/private/x', '/private/shown']) {
      web.answers.set(path, jsonLd({ '@type': 'Product', sku: path, name: `Tent ${path}` }))
    }
    const rows = (await readRows(site())) as { id: string; link: string }[]
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['/p/1', '/p/2', '/private/shown'],
    )
    assert.equal(rows[0]!.link, `${web.root}/p/1`)
    const prefixed = (await readRows(site({ path_prefix: '/p/' }))) as { id: string }[]
    assert.equal(prefixed.length, 2)
    await assert.rejects(
      () => readRows(site({ pages_max: 1 })),
      (error) => error instanceof SourceError && error.fault === 'too_large',
    )
  })

  test('say what their products are, with the words of schema.org', () => {
    const page = 'https://shop.example/p/1'
    const offers = {
      '@type': 'Offer',
      price: '129.90',
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
    }
    const brand = { '@type': 'Brand', name: 'Norrby' }
    const product = {
      '@type': ['Product'],
      sku: 'A1',
      name: ' Tent ',
      image: ['a.jpg'],
      brand,
      offers,
    }
    assert.deepEqual(pageProducts(jsonLd({ '@graph': [{ '@type': 'WebPage' }, product] }), page), [
      {
        id: 'A1',
        title: 'Tent',
        link: page,
        image_link: 'a.jpg',
        brand: 'Norrby',
        price: '129.90',
        currency: 'EUR',
        availability: 'InStock',
      },
    ])
    const group = {
      '@type': 'ProductGroup',
      productGroupID: 'G',
      brand,
      hasVariant: [
        { sku: 'V1', color: 'red', offers },
        { sku: 'V2', color: 'blue', offers, url: '/p/1?v=2' },
      ],
    }
    const variants = pageProducts(jsonLd(group), page)
    assert.deepEqual(
      variants.map(({ id, item_group_id: of, color, brand: name, link }) => [
        id,
        of,
        color,
        name,
        link,
      ]),
      [
        ['V1', 'G', 'red', 'Norrby', page],
        ['V2', 'G', 'blue', 'Norrby', 'https://shop.example/p/1?v=2'],
      ],
    )
    assert.deepEqual(pageProducts('<script type="application/ld+json">{broken</script>', page), [])
    assert.deepEqual(
      pageProducts('<script type="application/ld+json">{"@type":"Product"', page),
      [],
    )
  })

  test('take linear time, whatever is in them', () => {
    const hostile = '<script '.repeat(200_000)
    const startMs = performance.now()
    pageProducts(hostile, 'https://shop.example')
    pageProducts('<script>'.repeat(200_000), 'https://shop.example')
    readRobots(`User-agent: *\nDisallow: ${'*a'.repeat(1_000)}`).allows(`/${'a'.repeat(100_000)}`)
    assert.ok(performance.now() - startMs < 10_000)
  })

  test('robots.txt: the longest rule counts, and a group for us replaces the one for all', () => {
    const robots = readRobots(
      'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.pdf$\nDisallow: /x*y\nCrawl-delay: 2 # slow',
    )
    assert.equal(robots.crawlDelaySeconds, 2)
    const allowed = ['/', '/a/b/c', '/file.pdf?x', '/x'].map((path) => robots.allows(path))
    assert.deepEqual(allowed, [true, true, true, true])
    const forbidden = ['/a', '/ab', '/file.pdf', '/x1y2'].map((path) => robots.allows(path))
    assert.deepEqual(forbidden, [false, false, false, false])
    const own = readRobots('User-agent: *\nDisallow: /\n\nUser-agent: Aisle-Source\nDisallow: /b')
    assert.deepEqual([own.allows('/a'), own.allows('/b')], [true, false])
    assert.ok(readRobots('').allows('/a'))
    assert.ok(readRobots('User-agent: *\nDisallow:').allows('/a'))
  })

  test('one that is not XML, or has entities, is refused', async () => {
    const read = async (text: string): Promise<string[]> => {
      const found: string[] = []
      const bytes = (async function* () {
        yield Buffer.from(text)
      })()
      for await (const { url } of sitemapEntries(bytes, 'sitemap')) found.push(url)
      return found
    }
    assert.deepEqual(
      await read('<urlset><url><loc> https://a/?x=1&amp;y=2 </loc></url></urlset>'),
      ['https://a/?x=1&y=2'],
    )
    await assert.rejects(() => read('<html><p>'), SourceError)
    await assert.rejects(
      () => read('<!DOCTYPE u [<!ENTITY a "b">]><urlset><url><loc>&a;</loc></url></urlset>'),
      SourceError,
    )
  })
})
