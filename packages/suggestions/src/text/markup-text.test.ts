import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { looksLikeMarkup } from './markup-text.ts'

suite('markup and links', () => {
  for (const text of [
    '<b>red shoe',
    'red shoe<script src=//x',
    'shoe &lt;b&gt;',
    'shoe &#60;',
    '%3Cimg red shoe',
    '＜b＞ red shoe',
    '{{shoe}}',
    '[red shoe](x)',
    '[url=x]red shoe',
    'https://x.example red shoe',
    'data:text shoe',
    'red shoe www.x',
    'red shoe at x.example/deal',
    'cheap-shoes.com',
    'SHOES.SHOP',
    '10.0.0.1',
    'fe80::1',
  ]) {
    test(`${text} is`, () => assert.ok(looksLikeMarkup(text)))
  }
  for (const text of [
    'dr. martens',
    'dr.martens boots',
    'u.s. polo',
    'node.js book',
    'tv 40" & wall mount',
    'ratio 16:9',
    'size 1.25/2',
    '100% cotton',
    'company shoes',
    't.shirt.common',
  ]) {
    test(`${text} is not`, () => assert.ok(!looksLikeMarkup(text)))
  }
})
