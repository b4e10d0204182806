import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from './create-analyzer.ts'
import { fieldAnalyzer, foreignForm, shownForm } from './field-analyzer.ts'

const english = createAnalyzer('en')
const german = createAnalyzer('de')

suite('a field in another language', () => {
  const own = fieldAnalyzer(english, { language: 'de-AT' })

  test('has a second token at the position of each word that is not a stopword', () => {
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

  test('keeps the stems of the store, and a foreign stem is its own stem', () => {
    assert.equal(own.stem('houses'), english.stem('houses'))
    const form = foreignForm('Kisten', german)!
    assert.equal(own.stem(form), form)
    assert.equal(foreignForm('der', german), undefined)
  })

  test('finds Japanese and Chinese words in either script', () => {
    const same = (language: string, a: string, b: string) =>
      foreignForm(a, createAnalyzer(language)) === foreignForm(b, createAnalyzer(language))
    assert.ok(same('ja', 'りんご', 'リンゴ'))
    assert.ok(same('zh', '漢字', '汉字'))
    assert.ok(!same('ko', '漢字', '汉字'))
  })

  test('behaves like any other in the language of its store', () => {
    assert.equal(fieldAnalyzer(english, { language: 'en-GB' }), english)
    assert.equal(fieldAnalyzer(english, {}), english)
    assert.equal(fieldAnalyzer(english, { language: 'de' }), own)
  })
})
