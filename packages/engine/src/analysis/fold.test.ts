import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { fold, foldWithOffsets, originalEnd, originalStart } from './fold.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        ...'aIİıſßΣςﬁﷺ½⅓1™\u0301\u0327\u0345\u3099\u00ad\u200d\u200b\u0640ᄀ ᅡᆨ\ud800\udc00か한น้ำ',
      ),
    )
    .map((chars) => chars.join('')),
)

suite('fold', () => {
  test('case, diacritics, widths and special letters become plain letters', () => {
    const cases = [
      ['Café CRÈME', 'cafe creme'],
      ['Cafe\u0301', 'cafe'],
      ['İstanbul Iğdır', 'istanbul igdir'],
      ['Straße ẞ', 'strasse ss'],
      ['Ærø Œuvre Łódź Đà Þór', 'aero oeuvre lodz da thor'],
      ['ΟΔΟΣ Ὀδός', 'οδοσ οδοσ'],
      ['Ёлка Йод Київ', 'елка йод київ'],
      ['فى مدرسة گل ٱلله', 'في مدرسه گل الله'],
      ['צה״ל ג׳ינס', `צה"ל ג'ינס`],
      ['ﬁne Ⅳ ｆｕｌｌ１２', 'fine iv full12'],
      ['m² ㎏ µm', 'm2 kg μm'],
      ['عَرَبِيّ أحمد', 'عربي احمد'],
      ['שָׁלוֹם', 'שלום'],
      ['٣٤ ४२', '34 42'],
      ['“10” ‘x’ ″ – 4×8', `"10" 'x' " - 4x8`],
      ['soft\u00adhyphen \ufeffbom zero\u200bwidth', 'softhyphen bom zero width'],
    ] as const
    for (const [text, expected] of cases) assert.equal(fold(text), expected)
  })

  test('marks that carry meaning stay', () => {
    for (const text of ['हिन्दी', 'สวัสดี', 'น้ำ', 'がぎぐ', 'தமிழ்', '한국어']) {
      assert.equal(fold(text), text.normalize('NFC'))
    }
    assert.equal(fold('ｶﾞ'), 'ガ')
    assert.equal(fold('한'.normalize('NFD')), '한')
  })

  test('a fraction stays apart from the digit before it', () => {
    assert.equal(fold('1½'), '1 1/2')
    assert.equal(fold('½'), '1/2')
    assert.equal(fold('1\u00ad½'), '1 1/2')
  })

  test('a trade mark sign stays apart from its word', () => {
    assert.equal(fold('Brand™'), 'brand™')
  })

  test('a base keeps at most 16 marks', () => {
    assert.equal(fold(`か${'\u3099'.repeat(5000)}`).normalize('NFD').length, 17)
  })

  test('lone surrogates become replacement characters', () => {
    assert.equal(fold('a\ud800b\udc00'), 'a\ufffdb\ufffd')
    assert.equal(fold('\ud800\u00ad\udc00'), '\ufffd\ufffd')
  })

  test('folding is idempotent for every code point', () => {
    for (let codePoint = 0; codePoint < 0x20000; codePoint++) {
      const once = fold(String.fromCodePoint(codePoint))
      if (fold(once) !== once) assert.fail(`U+${codePoint.toString(16)}`)
    }
  })

  test('folding is idempotent for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = fold(text)
        assert.equal(fold(once), once)
      }),
      { numRuns: 1000 },
    )
  })

  test('every offset of folded text maps into the original, in order', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = foldWithOffsets(text)
        assert.equal(folded.text.normalize('NFC'), fold(text))
        let last = 0
        for (let i = 0; i < folded.text.length; i++) {
          const start = originalStart(folded, i)
          const end = originalEnd(folded, i + 1)
          assert.ok(start >= last && end > start && end <= text.length)
          last = start
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('offsets follow characters that grow and shrink', () => {
    const text = 'ﬁx e\u0301t İß!'
    const folded = foldWithOffsets(text)
    assert.equal(folded.text, 'fix et iss!')
    const original = (from: number, to: number): string =>
      text.slice(originalStart(folded, from), originalEnd(folded, to))
    assert.equal(original(0, 3), 'ﬁx')
    assert.equal(original(1, 2), 'ﬁ')
    assert.equal(original(4, 6), 'e\u0301t')
    assert.equal(original(7, 10), 'İß')
    assert.equal(original(10, 11), '!')
  })
})
