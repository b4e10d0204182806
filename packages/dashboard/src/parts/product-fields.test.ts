import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { shownImage } from './product-fields.ts'

const HOSTS = ['https://img.example.com', 'https://*.example.net:8443', 'http://localhost:9000']

suite('pictures of products', () => {
  test('what the policy of the page allows is shown', () => {
    for (const [image, shown = image] of [
      ['data:image/png;base64,AA'],
      ['/pictures/1.png'],
      ['https://img.example.com/1.png?w=2'],
      ['//img.example.com/1.png', 'https://img.example.com/1.png'],
      ['https://a.b.example.net:8443/1.png'],
      ['http://localhost:9000/1.png'],
    ] as const) {
      assert.equal(shownImage(image, HOSTS), shown)
    }
  })

  test('nothing else is asked for', () => {
    for (const image of [
      'https://other.example.com/1.png',
      'http://img.example.com/1.png',
      'https://img.example.com:444/1.png',
      'https://img.example.com.evil.test/1.png',
      'https://example.net:8443/1.png',
      'https://a.example.net/1.png',
      'https://evilexample.net:8443/1.png',
      'https://img.example.com@evil.test/1.png',
      'ftp://img.example.com/1.png',
      'data:text/html,x',
      '1.png',
      '',
    ]) {
      assert.equal(shownImage(image, HOSTS), undefined, image)
    }
    assert.equal(shownImage('https://img.example.com/1.png', []), undefined)
  })
})
