import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from './create-analyzer.ts'
import { fieldAnalyzer, foreignForm, shownForm } from './field-analyzer.ts'

const english = createAnalyzer('en')
const german = createAnalyzer('de')

suite('a field in another language', () => {
  const own = fieldAnalyzer(english, { language: 'de-AT' })

  test('has a second token for each word that says something, where the word stands', () => {
    const tokens = own.analyze('Häuser der Stadt')
    assert.deepEqual(
      tokens.map(({ form, kind, position }) => [shownForm(form), kind, position]),
      [
        ['hauser', 'word', 0],
        ['haus', 'joined', 0],
        ['der', 'word', 1],
        ['stadt', 'word', 2],
        ['stadt', 'joined', 2],
      ],
    )
    const [plain, foreign] = tokens
    assert.deepEqual([foreign!.start, foreign!.end], [plain!.start, plain!.end])
    assert.equal(foreign!.form, foreignForm('haus', german))
  })

  test('keeps the stems of the store, and the form of a foreign stem is its own', () => {
    assert.equal(own.stem('houses'), english.stem('houses'))
    const form = foreignForm('Kisten', german)!
    assert.equal(own.stem(form), form)
    assert.equal(foreignForm('der', german), undefined)
  })

  test('in Japanese or Chinese finds words in either script', () => {
    const same = (language: string, a: string, b: string) =>
      foreignForm(a, createAnalyzer(language)) === foreignForm(b, createAnalyzer(language))
    assert.ok(same('ja', 'りんご', 'リンゴ'))
    assert.ok(same('zh', '漢字', '汉字'))
    assert.ok(!same('ko', '漢字', '汉字'))
  })

  test('in the language of its store is like every other', () => {
    assert.equal(fieldAnalyzer(english, { language: 'en-GB' }), english)
    assert.equal(fieldAnalyzer(english, {}), english)
    assert.equal(fieldAnalyzer(english, { language: 'de' }), own)
  })
})
