import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { Token } from './analyzer.ts'
import { fold } from './fold.ts'
import { englishStem } from './english-stem.ts'
import { FORM_LENGTH_MAX } from './token-writer.ts'
import { tokenize } from './tokenizer.ts'

function analyze(text: string): Token[] {
  return tokenize(text, englishStem)
}

/** `form` for words, `form:unit` for units, `form@position+span` for joined tokens. */
function show(text: string): string {
  return analyze(text)
    .map(({ form, kind, position, span }) => {
      if (kind === 'joined') return `${form}@${position}+${span}`
      return kind === 'unit' ? `${form}:unit` : form
    })
    .join(' ')
}

suite('tokenize', () => {
  test('words are runs of letters, digits and marks', () => {
    assert.equal(show('Red  shoes, (size 42)!'), 'red shoes size 42')
    assert.equal(show('𝒜stral 𐐀𐐁'), 'astral 𐐨𐐩')
    assert.equal(show('हिन्दी भाषा'), 'हिन्दी भाषा')
    assert.equal(show('—…™ "" \'\''), '')
    assert.equal(show(''), '')
  })

  test('hyphens, slashes, dots, underscores, & and + separate and join', () => {
    const cases = [
      ['t-shirt', 't tshirt@0+2 shirt'],
      ['AB-12/3', 'ab ab123@0+3 12 3'],
      ['AB12/3', 'ab12 ab123@0+2 3'],
      ['and/or', 'and andor@0+2 or'],
      ['U.S.A.', 'u usa@0+3 s a'],
      ['AT&T', 'at att@0+2 t'],
      ['snake_case', 'snake snakecase@0+2 case'],
      ['a+b', 'a ab@0+2 b'],
      ['wi‑fi', 'wi wifi@0+2 fi'],
      ['end.', 'end'],
      ['a--b a - b red,blue', 'a b a b red blue'],
      ['a.b.c.d.e.f', 'a abcdef@0+6 b c d e f'],
      ['a.b.c.d.e.f.g', 'a b c d e f g'],
    ] as const
    for (const [text, expected] of cases) assert.equal(show(text), expected, text)
  })

  test('apostrophes separate, but a possessive belongs to its word', () => {
    assert.equal(show("men's women’s"), 'men women')
    assert.equal(show("kids' o'neill"), 'kids o oneill@1+2 neill')
    assert.equal(show("don't"), 'don dont@0+2 t')
    assert.equal(show("rock'n'roll"), 'rock rocknroll@0+3 n roll')
    const [men] = analyze("men's")
    assert.deepEqual([men!.start, men!.end], [0, 5])
  })

  test('a possessive that stemming cannot undo has a second spelling at the same position', () => {
    assert.equal(show("James's cup"), 'james jamess@0+1 cup')
    assert.deepEqual(
      tokenize("levi's", (form) => form).map(({ form, position }) => [form, position]),
      [
        ['levi', 0],
        ['levis', 0],
      ],
    )
  })

  test('numbers keep their point or bar and lose their commas', () => {
    const cases = [
      ['1/2 2.5 1,000 12,345.67', '1/2 2.5 1000 12345.67'],
      ['1 1/2', '1 1/2'],
      ['½ 1½ 2⅔', '1/2 1 1/2 2 2/3'],
      ['2-1/2', '2 1/2'],
      ['1/4-20', '1/4 20'],
      ['1.2.3', '1 123@0+3 2 3'],
      ['1/2/2024', '1 122024@0+3 2 2024'],
      ['12-34', '12 1234@0+2 34'],
      ['1,0000 1,00', '1 0000 1 00'],
      ['1,2,3', '1 2 3'],
      ['٣٫٥', '3 5'],
      ['2.5/3.5', '2.5 3.5'],
      ['2.5/3.5mm', '2.5 2.5mm@0+1 3.5 3.5mm@1+2 mm:unit'],
      ['1/2.5 1.5/2', '1 2.5 1.5 2'],
      ['1in/25.4mm', '1 1in@0+2 1in25.4mm@0+4 in:unit 25.4 25.4mm@2+2 mm:unit'],
      ['12,7mm/1.5m', '12 7 7mm@1+2 7mm1.5m@1+4 mm:unit 1.5 1.5m@3+2 meter:unit'],
      ['1.2.3/4', '1 1234@0+4 2 3 4'],
      ['ab-12.3', 'ab ab123@0+3 12 3'],
    ] as const
    for (const [text, expected] of cases) assert.equal(show(text), expected, text)
  })

  test('words that begin with a digit are split and kept whole, others stay whole', () => {
    const cases = [
      ['16gb', '16 16gb@0+2 gb:unit'],
      ['16gb.', '16 16gb@0+2 gb:unit'],
      ['4x8', '4 4x8@0+3 x 8'],
      ['4×8', '4 4x8@0+3 x 8'],
      ['8.5x11', '8.5 8.5x11@0+3 x 11'],
      ['1/2x3/4', '1/2 1/2x3/4@0+3 x 3/4'],
      ['3d 2xl', '3 3d@0+2 d 2 2xl@2+2 xl'],
      ['12v34', '12 12v34@0+3 v 34'],
      ['12-v34', '12 12v34@0+2 v34'],
      ['ps4 iphone8 ab123', 'ps4 iphone8 ab123'],
      ['006R90321', '006 006r90321@0+3 r 90321'],
      ['9f8a7b6c', '9f8a7b6c'],
      ['M8x40', 'm8 m8x40@0+3 x 40'],
      ['m8 x 40', 'm8 x 40'],
      ['M10×1.5', 'm10 m10x15@0+3 x 1.5'],
      ['M8x40mm', 'm8 m8x40mm@0+4 x 40 40mm@2+2 mm:unit'],
      ['st4x13x2-c', 'st4 st4x13x2@0+5 st4x13x2c@0+6 x 13 x 2 c'],
      ['b00x4whp5e abc4x12 a1234x5', 'b00x4whp5e abc4x12 a1234x5'],
      ['usb3.0', 'usb usb3@0+1 usb30@0+2 3.0'],
      ['Bluetooth5.0-v2', 'bluetooth bluetooth5@0+1 bluetooth50@0+2 bluetooth50v2@0+3 5.0 v2'],
      ['gel1.75mm', 'gel gel1@0+1 gel175mm@0+3 1.75 1.75mm@1+2 mm:unit'],
      ['v1.2.3', 'v1 v123@0+3 2 3'],
      ['x-800w', 'x x800w@0+3 800 800w@1+2 watt:unit'],
    ] as const
    for (const [text, expected] of cases) assert.equal(show(text), expected, text)
  })

  test('a unit after a number has one spelling', () => {
    const apart = ['10 in', '10 in.', '10 inch', '10 Inches', '10  INCH']
    const attached = ['10in', '10"', '10″', "10''", '10-inch', '10inches', '10-in.']
    for (const text of [...apart, ...attached]) {
      assert.equal(show(text), '10 10in@0+2 in:unit', text)
    }
    for (const text of ["6'", '6ft', '6-foot', '6′', '6feet']) {
      assert.equal(show(text), '6 6ft@0+2 ft:unit', text)
    }
    for (const text of ['60W', '60-watt', '60watts']) {
      assert.equal(show(text), '60 60w@0+2 watt:unit', text)
    }
    assert.equal(show('60 W 12 volts'), '60 60w@0+2 watt:unit 12 12v@2+2 volt:unit')
    const weights = '5 5gal@0+2 gallon:unit 2 2lb@2+2 lb:unit 16 16oz@4+2 oz:unit'
    assert.equal(show('5 gal. 2 lbs 16 ounces'), weights)
    assert.equal(show('1/2 in. x 3/4-in'), '1/2 0.5in@0+2 in:unit x 3/4 0.75in@3+2 in:unit')
    assert.equal(show('5㎏'), '5 5kg@0+2 kg:unit')
  })

  test('a number and its unit are one word as well as their parts, in any spelling', () => {
    const measure = (text: string): string =>
      analyze(text)
        .filter((token) => token.measure === true)
        .map(({ form, position, span }) => `${form}@${position}+${span}`)
        .join(' ')
    const cases = [
      ['16 GB ram', '16gb@0+2'],
      ['16-gb-ram', '16gb@0+2'],
      ['16  gigabytes', '16gb@0+2'],
      ['5 L', '5l@0+2'],
      ['5 ltr', '5l@0+2'],
      ['5.0 litres', '5l@0+2'],
      ['2-1/2 in.', '2.5in@1+2'],
      ['2 1/2"', '2.5in@1+2'],
      ['2½ inch', '2.5in@1+2'],
      ['2.50 in', '2.5in@0+2'],
      ['1/3 cm', '1/3cm@0+2'],
      ['1-1/3 cm', '1-1/3cm@1+2'],
      ['3/2 in', '1.5in@0+2'],
      ['4 3/2 in', '1.5in@1+2'],
      ['8-1/4-20 in', '20in@2+2'],
      ['1.5 1/2 in', '0.5in@1+2'],
      ['1,000 mAh', '1000mah@0+2'],
      ['4 ft. x 8 ft.', '4ft@0+2 8ft@3+2'],
      ['1234567890123456789 kg', '1234567890123456789kg@0+2'],
      ['1/0 mm', '1/0mm@0+2'],
      ['2.5/3.5mm', '2.5mm@0+1 3.5mm@1+2'],
      ['2.5/3.5/6.3 mm', '6.3mm@2+2'],
      ['4x8x12ft', '4ft@0+1 8ft@2+1 12ft@4+2'],
      ['1/2x3/4in', '0.5in@0+1 0.75in@2+2'],
      ['m8x40mm', '40mm@2+2'],
      ['16, GB', ''],
      ['gb 16', ''],
      ['16 new gb', ''],
    ] as const
    for (const [text, expected] of cases) assert.equal(measure(text), expected, text)
  })

  test('words that spell a unit elsewhere are words', () => {
    assert.equal(show('foot in a pound inch'), 'foot in a pound inch')
    assert.equal(show('10, in stock'), '10 in stock')
    assert.equal(show('10 a'), '10 a')
    assert.equal(show('ps4 in'), 'ps4 in')
  })

  test('dimensions with units join as without punctuation', () => {
    const expected = '4 4in@0+2 4inx6in@0+5 in:unit x 6 6in@3+2 in:unit'
    assert.equal(show('4"x6"'), expected)
    assert.equal(show('4inx6in'), expected)
    assert.equal(show(`5'10"`), '5 5ft@0+2 5ft10in@0+4 ft:unit 10 10in@2+2 in:unit')
    assert.equal(show("90's"), '90 90s@0+2 s')
  })

  test('scripts without spaces are split by dictionary', () => {
    const words = (text: string): string =>
      analyze(text)
        .filter((token) => token.kind !== 'joined')
        .map((token) => token.form)
        .join(' ')
    assert.equal(words('我喜欢手机'), '我 喜欢 手机')
    assert.equal(words('iphone手机 สวัสดีชาวโลก'), 'iphone 手机 สวัสดี ชาว โลก')
    assert.equal(words('東京タワーの写真'), '東京 タワー の 写真')
    assert.equal(show('한국어 단어'), '한국어 단어')
  })

  test('any two adjacent characters of a script without spaces are a form at their position', () => {
    assert.equal(show('我喜欢手机'), '我 我喜@0+2 喜欢 欢手@1+2 手机')
    assert.equal(show('น้ำ'), 'น้ำ')
    assert.equal(show('โลก'), 'โลก โล@0+1 ลก@0+1')
    assert.deepEqual(
      analyze('我喜欢手机').map(({ start, end, bigram }) => [start, end, bigram === true]),
      [
        [0, 1, false],
        [0, 2, true],
        [1, 3, false],
        [2, 4, true],
        [3, 5, false],
      ],
    )
  })

  test('a letter after a number may be a unit and is indexed as both', () => {
    assert.equal(show('5 m 2 l'), '5 5m@0+2 m meter@1+1 2 2l@2+2 l liter@3+1')
    assert.equal(show('5m'), '5 5m@0+2 meter:unit')
    assert.equal(show('10 a m'), '10 a m')
  })

  test('an Arabic word with its article is found without it', () => {
    assert.equal(show('الكتاب وللطفل'), 'الكتاب كتاب@0+1 وللطفل')
    assert.equal(show('والكتاب للطفل الله'), 'والكتاب كتاب@0+1 للطفل طفل@1+1 الله')
  })

  test('offsets refer to the original text, even where folding changed lengths', () => {
    const text = 'ﬁne e\u0301tui İzmir ＡＢ‐１２ 5㎏ 1½'
    const written = analyze(text).map(({ form, start, end }) => [form, text.slice(start, end)])
    assert.deepEqual(written, [
      ['fine', 'ﬁne'],
      ['etui', 'e\u0301tui'],
      ['izmir', 'İzmir'],
      ['ab', 'ＡＢ'],
      ['ab12', 'ＡＢ‐１２'],
      ['12', '１２'],
      ['5', '5'],
      ['5kg', '5㎏'],
      ['kg', '㎏'],
      ['1', '1'],
      ['1/2', '½'],
    ])
  })

  test('a word of any length becomes forms of bounded length', () => {
    const tokens = analyze('é'.repeat(1000))
    assert.ok(tokens.length >= 4)
    assert.ok(tokens.every((token) => token.form.length <= FORM_LENGTH_MAX))
    assert.equal(tokens.map((token) => token.form).join(''), 'e'.repeat(1000))
  })

  const shards = fc.constantFrom(
    ...'a b x s in " \' - . / , & _ + 1 12 000 ½ ft 4x é ﬁ ™ か 手机 น้ำ \u0301 \u00ad 𐐀 한'.split(
      ' ',
    ),
    ' ',
  )
  const text = fc.oneof(
    fc.array(shards, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
  )

  test('tokens of any text are ordered, non-empty, folded and inside the text', () => {
    fc.assert(
      fc.property(text, (input) => {
        let position = -1
        let start = 0
        const tokens = analyze(input)
        for (const token of tokens) {
          assert.ok(token.form.length > 0 && token.form.length <= FORM_LENGTH_MAX)
          assert.equal(fold(token.form), token.form)
          assert.ok(token.start >= start && token.end > token.start && token.end <= input.length)
          start = token.start
          if (token.kind === 'joined') {
            assert.equal(token.position, position)
            assert.ok(token.span >= 1 && token.span <= 6)
          } else {
            assert.equal(token.position, ++position)
            assert.equal(token.span, 1)
          }
        }
        for (const token of tokens) assert.ok(token.position + token.span <= position + 1)
      }),
      { numRuns: 5000 },
    )
  })

  test('folding a text first gives the same tokens', () => {
    const forms = (input: string): string[] => analyze(input).map((token) => token.form)
    const composed = fc.array(shards, { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(composed, (input) => assert.deepEqual(forms(fold(input)), forms(input))),
      { numRuns: 3000 },
    )
  })

  test('hostile texts give a number of tokens linear in their length', () => {
    const patterns = [
      'a',
      '1',
      'a1',
      '1a',
      '-',
      'a-',
      "1'",
      '1"',
      '1/',
      '1.',
      '1,000,',
      "a's",
      'é',
      'か',
    ]
    patterns.push(
      '手机',
      'ก',
      '\u0301',
      '½',
      '\u00ad',
      '\ud800',
      '𐐀',
      '1x1.1',
      ' ',
      'กa',
      '한'.normalize('NFD'),
    )
    for (const pattern of patterns) {
      const length = 20_000
      const tokens = analyze(pattern.repeat(Math.ceil(length / pattern.length)))
      assert.ok(tokens.length <= 2 * length, pattern)
    }
  })
})
