import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import { commonPhrases, nearestPhrases, phrasesOf } from './phrases.ts'

const analyzer = createAnalyzer('en')
const textsOf = (text: string) => phrasesOf(text, analyzer).map((phrase) => phrase.text)

suite('phrases', () => {
  test('are words and neighbours, without stopwords, numbers and short words', () => {
    assert.deepEqual(textsOf('Trash Bin'), ['trash', 'bin', 'trash bin'])
    assert.deepEqual(textsOf('chest of drawers'), ['chest', 'drawers'])
    assert.deepEqual(textsOf('AC 12V x500 drill'), ['drill'])
    assert.deepEqual(textsOf('lamp lamps'), ['lamp', 'lamps'])
    assert.deepEqual(textsOf(''), [])
  })

  test('of many texts are counted once a text, in the most frequent form', () => {
    const texts = ['Torches torches', 'torches', 'torch lamp', 'torches lamp']
    const common = commonPhrases(texts, analyzer, 2).map(({ text }) => text)
    assert.deepEqual(common, ['torches', 'lamp'])
    assert.deepEqual(commonPhrases([], analyzer, 2), [])
  })

  test('are near from a similarity on, two words only if they are nearer than each', () => {
    const similarities: Record<string, number> = {
      refrigerator: 0.8,
      mini: 0.1,
      'mini refrigerator': 0.7,
      trash: 0.6,
      bin: 0.3,
      'trash bin': 0.9,
      door: 0.49,
    }
    const phrases = phrasesOf('mini refrigerator for trash bin with door and handle', analyzer)
    assert.deepEqual(
      nearestPhrases(phrases, (text) => similarities[text], 0.5),
      [
        { text: 'trash bin', similarity: 0.9 },
        { text: 'refrigerator', similarity: 0.8 },
        { text: 'trash', similarity: 0.6 },
      ],
    )
  })
})
