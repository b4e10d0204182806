import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { highlighted, highlightTree } from './marks.ts'

const TAGS = { pre: '[', post: ']' }

suite('marks', () => {
  test('text is unchanged, and only marks of the service are marks', () => {
    const html = '&lt;mark&gt; <mark>Tent</mark> &amp;amp; <mark>tent</mark>s &quot;&#39;'
    assert.deepEqual(highlighted(html, TAGS), {
      value: '<mark> [Tent] &amp; [tent]s "\'',
      matchLevel: 'full',
      matchedWords: ['tent'],
    })
  })

  test('every field of a hit has its text, marked or not', () => {
    const none = { matchLevel: 'none', matchedWords: [] }
    const a = { value: '[a]', matchLevel: 'full', matchedWords: ['a'] }
    const document = { title: 'a', tags: ['a', 'b'], price: 5, size: { w: 2 }, gone: null, no: 1 }
    const marked = {
      title: '<mark>a</mark>',
      tags: ['<mark>a</mark>', 'b'],
      other: '<mark>a</mark>',
    }
    assert.deepEqual(
      highlightTree(document, marked, TAGS, (field) => field !== 'no'),
      {
        title: a,
        tags: [a, { value: 'b', ...none }],
        price: { value: '5', ...none },
        size: { w: { value: '2', ...none } },
        other: a,
      },
    )
  })
})
