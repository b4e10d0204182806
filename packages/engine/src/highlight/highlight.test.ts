import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { escapeHtml } from './escape-html.ts'
import { highlightText } from './highlight.ts'
import type { MatchWords } from './highlight.ts'

const analyzer = createAnalyzer()

interface Wanted {
  readonly words?: string
  readonly forms?: string
  readonly prefixes?: string
  readonly pairs?: string
}

/** Words by spaces; `words` match by stem, pairs are `left+right`. */
function matchWords({ words, forms, prefixes, pairs }: Wanted): MatchWords {
  const list = (text?: string): string[] => (text === undefined ? [] : text.split(' '))
  return {
    stems: new Set(list(words).map((word) => analyzer.stem(word))),
    forms: new Set(list(forms)),
    prefixes: list(prefixes),
    pairs: list(pairs).map((pair) => {
      const [left, right] = pair.split('+').map((word) => analyzer.stem(word))
      return { left: left!, right: right! }
    }),
  }
}

function mark(text: string, wanted: Wanted): string | undefined {
  const marks = { before: '[', after: ']', escape: false }
  return highlightText(text, analyzer, matchWords(wanted), marks)
}

suite('highlightText', () => {
  test('words that match are marked as they are written', () => {
    assert.equal(mark('Red SHOES, red hat', { words: 'red shoe' }), '[Red] [SHOES], [red] hat')
    assert.equal(mark('Crème brûlée', { words: 'creme' }), '[Crème] brûlée')
    assert.equal(mark('kitchen knives', { words: 'knife' }), 'kitchen [knives]')
    assert.equal(mark("men's coat", { words: 'men' }), "[men's] coat")
  })

  test('nothing marked is undefined', () => {
    assert.equal(mark('red shoes', { words: 'hat' }), undefined)
    assert.equal(mark('', { words: 'hat' }), undefined)
    assert.equal(mark('red shoes', {}), undefined)
  })

  test('forms match alone, without their inflections', () => {
    assert.equal(mark('shoe shoes', { forms: 'shoe' }), '[shoe] shoes')
  })

  test('a joined spelling marks all that it covers', () => {
    assert.equal(mark('a T-Shirt here', { words: 'tshirt' }), 'a [T-Shirt] here')
    assert.equal(mark('No. AB-12/3!', { forms: 'ab123' }), 'No. [AB-12/3]!')
    assert.equal(mark('16gb card', { forms: '16gb' }), '[16gb] card')
  })

  test('marks that overlap or touch become one', () => {
    assert.equal(mark('T-shirt', { words: 'shirt tshirt' }), '[T-shirt]')
    assert.equal(mark('16gb', { forms: '16 gb' }), '[16gb]')
    assert.equal(mark('t-shirt', { forms: 't shirt' }), '[t]-[shirt]')
    assert.equal(mark('2x4x8-ft', { forms: '2x4x8 8' }), '[2x4x8]-ft')
  })

  test('of a prefix match only the typed part is marked', () => {
    assert.equal(mark('Running shoes', { prefixes: 'runn sho' }), '[Runn]ing [sho]es')
    assert.equal(mark('Running', { prefixes: 'r runn ru' }), '[Runn]ing')
    assert.equal(mark('Crème', { prefixes: 'cre' }), '[Crè]me')
    assert.equal(mark('Cre\u0301me', { prefixes: 'cre' }), '[Cre\u0301]me')
    assert.equal(mark('Straße', { prefixes: 'strass' }), '[Straß]e')
    assert.equal(mark('ＦＵＬＬ', { prefixes: 'fu' }), '[ＦＵ]ＬＬ')
    assert.equal(mark('𝒜stral', { prefixes: 'as' }), '[𝒜s]tral')
  })

  test('a prefix that ends within a character marks the word', () => {
    assert.equal(mark('Straße', { prefixes: 'stras' }), '[Straße]')
    assert.equal(mark('ﬁne', { prefixes: 'f' }), '[ﬁne]')
    assert.equal(mark('किताब', { prefixes: 'क' }), '[किताब]')
  })

  test('a prefix of a joined spelling marks it when its first part does not match', () => {
    assert.equal(mark('T-shirt', { prefixes: 't' }), '[T]-shirt')
    assert.equal(mark('T-shirt', { prefixes: 'tsh' }), '[T-shirt]')
  })

  test('pairs are marked only side by side and in order', () => {
    const pairs = { pairs: 'bed+spread' }
    assert.equal(mark('bed spreads for a bed', pairs), '[bed] [spreads] for a bed')
    assert.equal(mark('bed-spread', pairs), '[bed]-[spread]')
    assert.equal(mark('spread bed, bed with spread', pairs), undefined)
  })

  test('text is escaped inside and outside of marks, marks are not', () => {
    const marks = { before: '<mark>', after: '</mark>', escape: true }
    const words = matchWords({ forms: 'att', words: 'phone' })
    assert.equal(
      highlightText('<b>AT&T</b> "phone\'s"', analyzer, words, marks),
      '&lt;b&gt;<mark>AT&amp;T</mark>&lt;/b&gt; &quot;<mark>phone&#39;s</mark>&quot;',
    )
  })

  test('without the marks the result is the text', () => {
    const pieces = fc.constantFrom(
      ...'red Shoe t-shirt 16gb 4" é e\u0301 ﬁx ß 手机 น้ำ ½ & < > \' " \ud800 \udc00 \u00ad 𐐀x 👍🏽 \u0301'.split(
        ' ',
      ),
      ' ',
    )
    const text = fc.oneof(
      fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 40 }),
    )
    const words = {
      words: 'red shoe shirt 手机 fix x',
      forms: '16gb tshirt 1/2 4 ss',
      prefixes: 'r s e 1 น f',
      pairs: 'red+shoe t+shirt',
    }
    fc.assert(
      fc.property(text, fc.boolean(), (input, escape) => {
        const marks = { before: '\u{f0000}', after: '\u{f0001}', escape }
        fc.pre(!/[\u{f0000}\u{f0001}]/u.test(input))
        const marked = highlightText(input, analyzer, matchWords(words), marks)
        if (marked === undefined) return
        assert.match(
          marked,
          /^([^\u{f0000}\u{f0001}]*\u{f0000}[^\u{f0000}\u{f0001}]+\u{f0001})+[^\u{f0000}\u{f0001}]*$/u,
        )
        const stripped = marked.replaceAll(/[\u{f0000}\u{f0001}]/gu, '')
        assert.equal(stripped, escape ? escapeHtml(input) : input)
      }),
      { numRuns: 3000 },
    )
  })

  test('a text that repeats a match is marked in linear time', () => {
    const marked = mark('shoe '.repeat(20_000), {
      words: 'shoe',
      prefixes: 's',
      pairs: 'shoe+shoe',
    })
    assert.equal(marked?.length, 140_000)
  })
})
