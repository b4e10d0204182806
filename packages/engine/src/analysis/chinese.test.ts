import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { CHINESE_LETTERS } from './chinese-letters.ts'
import { chineseFirstLetters, chineseStem, inSimplified } from './chinese.ts'
import { createAnalyzer } from './create-analyzer.ts'

const letters = [...CHINESE_LETTERS]

suite('traditional and simplified characters', () => {
  test('a text has the same stem in both', () => {
    for (const pair of '漢字 汉字,筆記型電腦 笔记型电脑,頭髮 头发,發現 发现,裡 里,裏 里,麵條 面条'.split(
      ',',
    )) {
      const [traditional, simplified] = pair.split(' ')
      assert.equal(chineseStem(traditional!), simplified)
      assert.equal(chineseStem(simplified!), simplified)
    }
  })

  test('simplifying keeps the length of a text and its simplified characters', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.array(fc.constantFrom(...letters, 'a', ' ', '𠮷')).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(anyText, (text) => {
        const simplified = inSimplified(text)
        assert.equal(simplified.length, text.length)
        assert.equal(inSimplified(simplified), simplified)
        if (text !== '') {
          assert.ok(
            chineseFirstLetters(simplified).includes(String.fromCodePoint(text.codePointAt(0)!)),
          )
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('a text is cut into the same words in both', () => {
    const analyzer = createAnalyzer('zh')
    const words = (text: string) =>
      analyzer
        .analyze(text)
        .map((token) => `${analyzer.stem(token.form)} ${token.start} ${token.end}`)
    for (const pair of '電視機 电视机,咖啡機濾紙 咖啡机滤纸,衛生紙 卫生纸,髮夾 发夹,漢字輸入法 汉字输入法'.split(
      ',',
    )) {
      const [traditional, simplified] = pair.split(' ')
      assert.deepEqual(words(traditional!), words(simplified!))
    }
  })

  test('make no difference in other languages', () => {
    assert.equal(createAnalyzer('en').stem('漢字'), '漢字')
    assert.equal(createAnalyzer('ja').stem('機'), '機')
  })
})
