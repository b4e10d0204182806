import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { Analyzer } from '../analysis/analyzer.ts'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { escapeHtml } from './escape-html.ts'
import type { MatchTerm, MatchWords } from './match-words.ts'
import { naiveMarks } from './naive-marks-for-test.ts'
import { SNIPPET_LENGTH_PER_TOKEN_MAX, TextMarker, type Marks } from './text-marker.ts'

const analyzer = createAnalyzer()

interface Wanted {
  readonly words?: string
  readonly prefixes?: string
  readonly infixes?: string
  readonly little?: string
  /** Words joined by +. */
  readonly sequences?: string
}

/** A term per word; words are separated by spaces and match by stem. */
function matchWords(wanted: Wanted): MatchWords {
  const { words, prefixes, infixes, little, sequences } = wanted
  const list = (text?: string): string[] => (text === undefined ? [] : text.split(' '))
  const none: MatchTerm = {
    stems: [],
    sequences: [],
    prefix: undefined,
    infixes: [],
    isLittle: false,
    weight: 1,
  }
  return [
    ...list(words).map((word) => ({ ...none, stems: [analyzer.stem(word)] })),
    ...list(prefixes).map((prefix) => ({ ...none, prefix })),
    ...list(infixes).map((infix) => ({ ...none, infixes: [infix] })),
    ...list(little).map((word) => ({
      ...none,
      stems: [analyzer.stem(word)],
      isLittle: true,
      weight: 0.5,
    })),
    ...list(sequences).map((sequence) => ({
      ...none,
      sequences: [sequence.split('+').map((word) => analyzer.stem(word))],
    })),
  ]
}

const BRACKETS = { before: '[', after: ']', escape: false }

function mark(text: string, wanted: Wanted): string | undefined {
  const marker = new TextMarker(analyzer, matchWords(wanted))
  const marked = marker.mark(text, BRACKETS)
  assert.equal(markJson(text, marker, BRACKETS), marked)
  return marked
}

/** The same for the text as stored, with characters before and after it. */
function markJson(
  text: string,
  marker: TextMarker,
  { before, after }: Marks,
  stringify = (value: string) => JSON.stringify(value),
): string | undefined {
  const front = '{"é":'
  const json = Buffer.from(`${front}${stringify(text)},"red":"red shoe"}`)
  const start = Buffer.byteLength(front) + 1
  const end = start + Buffer.byteLength(stringify(text)) - 2
  const ranges = marker.marksInJson(json, start, end)
  if (ranges === undefined) return undefined
  let marked = ''
  let at: number = start
  for (let i = 0; i < ranges.length; i += 2) {
    const from: number = ranges[i]!
    const to: number = ranges[i + 1]!
    assert.ok(from < to && (i === 0 ? from >= at : from > at))
    marked += json.toString('utf8', at, from) + before + json.toString('utf8', from, to) + after
    at = to
  }
  return JSON.parse(`"${marked}${json.toString('utf8', at, end)}"`) as string
}

/** JSON with more escapes than a text needs. */
function escapedJson(text: string): string {
  const escaped = text.replaceAll(
    /[^ -~]|[aekrsx1&"\\/]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `"${escaped.replaceAll('\\u002f', '\\/').replaceAll('\\u0022', '\\"')}"`
}

function snippet(text: string, limit: number, wanted: Wanted): string {
  return new TextMarker(analyzer, matchWords(wanted)).snippet(text, limit, BRACKETS)
}

/** Texts that are hard on analyzers, and any Unicode. */
const arbitraryText = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        ...'red Shoe shoes the T-shirt bed spread 16gb 4" 2.5 1,000 é e\u0301 ﬁx Straße ß 手机 充電器 น้ำ किताब क्ष ½ & < > \' " \ud800 \udc00 \u00ad 𐐀x 👍🏽 👩‍👩‍👧 🇩🇪 \u0301 \u0600 \r \n 각 \u1100\u1161 。'.split(
          ' ',
        ),
        ' ',
        ' ',
      ),
      { maxLength: 25 },
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

const MANY_WORDS: Wanted = {
  words: 'red shoe tshirt 手机 fix x 16gb 1/2',
  prefixes: 'r s stras tsh e 1 น क f ｆ 각',
  little: 'the',
  sequences: 'red+shoe t+shirt bed+spread',
}
const OPEN = '\u{f0000}'
const CLOSE = '\u{f0001}'
const PRIVATE = /[\u{f0000}\u{f0001}]/gu

suite('marking a text', () => {
  test('marks matching words as written', () => {
    assert.equal(mark('Red SHOES, red hat', { words: 'red shoe' }), '[Red] [SHOES], [red] hat')
    assert.equal(mark('Crème brûlée', { words: 'creme' }), '[Crème] brûlée')
    assert.equal(mark('kitchen knives', { words: 'knife' }), 'kitchen [knives]')
    assert.equal(mark("men's coat", { words: 'men' }), "[men's] coat")
  })

  test('returns undefined without matches', () => {
    assert.equal(mark('red shoes', { words: 'hat' }), undefined)
    assert.equal(mark('', { words: 'hat' }), undefined)
    assert.equal(mark('red shoes', {}), undefined)
  })

  test('a joined spelling marks everything it covers', () => {
    assert.equal(mark('a T-Shirt here', { words: 'tshirt' }), 'a [T-Shirt] here')
    assert.equal(mark('No. AB-12/3!', { words: 'ab123' }), 'No. [AB-12/3]!')
    assert.equal(mark('16gb card', { words: '16gb' }), '[16gb] card')
  })

  test('marks a word in the script in which it is written', () => {
    const marked = (language: string, text: string, words: readonly string[]) => {
      const own = createAnalyzer(language)
      const term = { sequences: [], prefix: undefined, infixes: [], isLittle: false, weight: 1 }
      const stems = words.map((word) => own.stem(word))
      return new TextMarker(own, [{ ...term, stems }]).mark(text, BRACKETS)
    }
    assert.equal(marked('ja', '味噌らーめん', ['ラーメン']), '味噌[らーめん]')
    assert.equal(marked('ja', '味噌ラーメン', ['らーめん']), '味噌[ラーメン]')
    assert.equal(marked('zh', '蓝牙耳机', ['藍牙']), '[蓝牙]耳机')
    assert.equal(marked('zh', '藍牙耳機', ['耳机']), '藍牙[耳機]')
  })

  test('merges marks that overlap or touch', () => {
    assert.equal(mark('T-shirt', { words: 'shirt tshirt' }), '[T-shirt]')
    assert.equal(mark('16gb', { words: '16 gb' }), '[16gb]')
    assert.equal(mark('t-shirt', { words: 't shirt' }), '[t]-[shirt]')
    assert.equal(mark('2x4x8-ft', { words: '2x4x8 8' }), '[2x4x8]-ft')
  })

  test('marks only the typed part of a prefix match', () => {
    assert.equal(mark('Running shoes', { prefixes: 'runn sho' }), '[Runn]ing [sho]es')
    assert.equal(mark('Running', { prefixes: 'r runn ru' }), '[Runn]ing')
    assert.equal(mark('Crème', { prefixes: 'cre' }), '[Crè]me')
    assert.equal(mark('Cre\u0301me', { prefixes: 'cre' }), '[Cre\u0301]me')
    assert.equal(mark('Straße', { prefixes: 'strass' }), '[Straß]e')
    assert.equal(mark('ＦＵＬＬ', { prefixes: 'fu' }), '[ＦＵ]ＬＬ')
    assert.equal(mark('𝒜stral', { prefixes: 'as' }), '[𝒜s]tral')
  })

  test('a typed part that ends within a character includes it', () => {
    assert.equal(mark('Straße', { prefixes: 'stras' }), '[Straß]e')
    assert.equal(mark('ﬁne', { prefixes: 'f' }), '[ﬁ]ne')
    assert.equal(mark('किताब', { prefixes: 'क' }), '[कि]ताब')
    assert.equal(mark('क्षमा', { prefixes: 'क' }), '[क्ष]मा')
  })

  test('marks a prefix of a joined spelling across its connector', () => {
    assert.equal(mark('T-shirt', { prefixes: 't' }), '[T]-shirt')
    assert.equal(mark('T-shirt', { prefixes: 'tsh' }), '[T-sh]irt')
    assert.equal(mark('1,000 m', { prefixes: '10' }), '[1,0]00 m')
  })

  test('marks the typed part inside the word of an infix match', () => {
    assert.equal(mark('Handschuhe', { infixes: 'schuh' }), 'Hand[schuh]e')
    assert.equal(mark('NX-4410B', { infixes: '441' }), 'NX-[441]0B')
    assert.equal(mark('AB-12/3', { infixes: 'b12' }), 'A[B-12]/3')
    assert.equal(mark('Großgerät', { infixes: 'ssger' }), 'Gro[ßger]ät')
    assert.equal(mark('Haushandschuhe', { infixes: 'schuh' }), 'Haushand[schuh]e')
    assert.equal(mark('banana', { infixes: 'ana' }), 'b[ana]na')
  })

  test('marks sequences only side by side and in order', () => {
    const pair = { sequences: 'bed+spread' }
    assert.equal(mark('bed spreads for a bed', pair), '[bed] [spreads] for a bed')
    assert.equal(mark('bed-spread', pair), '[bed]-[spread]')
    assert.equal(mark('spread bed, bed with spread', pair), undefined)
    const three = { sequences: 'solid+state+drive' }
    assert.equal(mark('a solid state drive', three), 'a [solid] [state] [drive]')
    assert.equal(mark('solid state of a drive', three), undefined)
    assert.equal(mark('go go go', { sequences: 'go+go' }), '[go] [go] [go]')
  })

  test('marks stopwords only next to other words of the query', () => {
    const wanted = { words: 'lord ring', little: 'the of' }
    assert.equal(
      mark('The Lord of the Rings, of the Shire', wanted),
      '[The] [Lord] [of] [the] [Rings], [of] [the] Shire',
    )
    assert.equal(mark('a tale of the Shire', wanted), undefined)
    assert.equal(mark('the The', { little: 'the' }), '[the] [The]')
  })

  test('escapes text inside and outside of marks, but not the marks', () => {
    const marks = { before: '<mark>', after: '</mark>', escape: true }
    const marker = new TextMarker(analyzer, matchWords({ words: 'att phone' }))
    assert.equal(
      marker.mark('<b>AT&T</b> "phone\'s"', marks),
      '&lt;b&gt;<mark>AT&amp;T</mark>&lt;/b&gt; &quot;<mark>phone&#39;s</mark>&quot;',
    )
  })

  test('the result without marks is the text, and the marks are those of the naive twin', () => {
    fc.assert(
      fc.property(arbitraryText, fc.boolean(), (input, escape) => {
        fc.pre(input.search(PRIVATE) < 0)
        const words = matchWords(MANY_WORDS)
        const marker = new TextMarker(analyzer, words)
        const marked = marker.mark(input, { before: OPEN, after: CLOSE, escape })
        const expected = naiveMarks(input, analyzer, words)
        assert.equal(marked !== undefined, expected.includes(true))
        if (marked === undefined) return
        const stripped = marked.replaceAll(PRIVATE, '')
        assert.equal(stripped, escape ? escapeHtml(input) : input)
        if (escape) return
        assert.deepEqual(marksByUnit(marked), expected)
        if (!input.isWellFormed()) return
        const marks = { before: OPEN, after: CLOSE, escape }
        assert.equal(markJson(input, marker, marks), marked)
        assert.equal(markJson(input, marker, marks, escapedJson), marked)
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 3_000) },
    )
  })

  test('for any few words, the marks are those of the naive twin', () => {
    const some = (text: string): fc.Arbitrary<string | undefined> =>
      fc
        .subarray(text.split(' '), { maxLength: 2 })
        .map((parts) => (parts.length === 0 ? undefined : parts.join(' ')))
    const wanted = fc.record({
      words: some('red shoe tshirt 手机 fix x 16gb 1/2 16 2.5 inch gb meter 1000 liter watt e gbx'),
      prefixes: some('r st tsh e 1 10 2 น f ｆ m in gb'),
      little: some('the x'),
      sequences: some('red+shoe t+shirt 16+gb gb+red'),
    })
    const text = fc.oneof(
      arbitraryText,
      fc
        .array(
          fc.constantFrom(
            ...'Red shoes, the t-shirt 16GB 16 gb 2.5" 1,000 m8x40 5 m l v x (E) e. é Å̊ ́ usb3.0 12inx6in men\'s GBX ½ 1½ 60 Watt'.split(
              ' ',
            ),
          ),
          { maxLength: 12 },
        )
        .map((parts) => parts.join(' ')),
    )
    fc.assert(
      fc.property(text, wanted, (input, few) => {
        fc.pre(input.search(PRIVATE) < 0)
        const given = Object.fromEntries(Object.entries(few).filter(([, one]) => one !== undefined))
        const words = matchWords(given)
        const marks = { before: OPEN, after: CLOSE, escape: false }
        const marked = new TextMarker(analyzer, words).mark(input, marks)
        const expected = naiveMarks(input, analyzer, words)
        assert.equal(marked !== undefined, expected.includes(true))
        if (marked !== undefined) assert.deepEqual(marksByUnit(marked), expected)
        if (!input.isWellFormed()) return
        const marker = new TextMarker(analyzer, words)
        assert.equal(markJson(input, marker, marks), marked)
        assert.equal(markJson(input, marker, marks, escapedJson), marked)
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 3_000) },
    )
  })

  test('an analyzer that adds tokens receives every word', () => {
    const own = {
      language: 'en',
      name: 'en',
      stem: (form: string) => analyzer.stem(form),
      isStopword: () => false,
      fold: (text: string) => analyzer.fold(text),
      analyze: (text: string) =>
        analyzer
          .analyze(text)
          .flatMap((token) => [
            token,
            { ...token, kind: 'joined', form: `\ue000${token.form.slice(0, 3)}` },
          ]),
    } as unknown as Analyzer
    const [term] = matchWords({ words: 'shoe' })
    const marker = new TextMarker(own, [{ ...term!, stems: ['\ue000hau'] }])
    assert.equal(marker.mark('alte Häuser, ein Haus', BRACKETS), 'alte [Häuser], ein [Haus]')
  })

  test('marks words of the maximum token length, and longer ones', () => {
    for (const length of [253, 254, 255, 256, 257, 300, 520]) {
      const text = `red ${'x'.repeat(length)}shoe, x-${'x'.repeat(length)}shoe ${'7'.repeat(length)}shoe`
      for (const wanted of [{ words: 'shoe' }, { prefixes: 's' }, { words: 'red' }]) {
        const words = matchWords(wanted)
        const marks = { before: OPEN, after: CLOSE, escape: false }
        const marked = new TextMarker(analyzer, words).mark(text, marks)
        const expected = naiveMarks(text, analyzer, words)
        assert.equal(marked !== undefined, expected.includes(true))
        if (marked !== undefined) assert.deepEqual(marksByUnit(marked), expected)
        assert.equal(markJson(text, new TextMarker(analyzer, words), marks), marked)
      }
    }
  })

  test('marks a text that repeats a match in linear time', () => {
    const marked = mark('shoe '.repeat(20_000), {
      words: 'shoe',
      prefixes: 's',
      sequences: 'shoe+shoe',
    })
    assert.equal(marked?.length, 140_000)
  })

  test('marks a long text like its parts', () => {
    const sentence = 'the red-shoe of 16 gb; bed spread, 手机充電器。 5\n"inch 2 1/2 x'
    const once = mark(`${sentence} `, MANY_WORDS)!
    assert.equal(mark(`${sentence} `.repeat(3000), MANY_WORDS), once.repeat(3000))
  })

  test('marks a long stored text like its parts, at once or in steps', () => {
    const sentence =
      'the red-shoe of 16 gb; ½ in bed spread, 手机充電器。 5\n"inch 2 1/2 x é red shoe'
    const [text, once] = [`${sentence} `.repeat(3_000), mark(`${sentence} `, MANY_WORDS)!]
    for (const stringify of [JSON.stringify, escapedJson]) {
      const marker = new TextMarker(analyzer, matchWords(MANY_WORDS))
      assert.equal(markJson(text, marker, BRACKETS, stringify), once.repeat(3_000))
      const json = Buffer.from(stringify(text))
      const steps = [...withResult(marker.marksInSteps(json, 1, json.length - 1))]
      assert.deepEqual(steps.at(-1), marker.marksInJson(json, 1, json.length - 1))
      assert.ok(steps.length > 10, `${steps.length}`)
      const snippets = [...withResult(marker.snippetInSteps(text, 30, BRACKETS))]
      assert.equal(snippets.at(-1), marker.snippet(text, 30, BRACKETS))
    }
  })

  test('checks the deadline while reading a long text', () => {
    let asked = 0
    const marker = new TextMarker(analyzer, matchWords({ words: 'shoe' }), () => {
      if (++asked === 3) throw new Error('time is up')
    })
    assert.throws(() => marker.mark('red shoe '.repeat(100_000), BRACKETS), /time is up/)
  })
})

function* withResult<T>(steps: Generator<void, T>): Generator<T | void> {
  yield yield* steps
}

/** Whether each unit of the text is inside a mark. */
function marksByUnit(marked: string): boolean[] {
  const units: boolean[] = []
  let inside = false
  for (const char of marked) {
    if (char === OPEN || char === CLOSE) {
      assert.equal(inside, char === CLOSE, 'marks open and close in turn')
      inside = char === OPEN
    } else for (let i = 0; i < char.length; i++) units.push(inside)
  }
  return units
}

suite('a snippet', () => {
  const filler = (count: number): string => 'lorem '.repeat(count).trim()

  test('shows a short text completely', () => {
    assert.equal(snippet('  a red shoe. ', 3, { words: 'shoe' }), '  a red [shoe]. ')
    assert.equal(snippet('', 3, { words: 'shoe' }), '')
    assert.equal(snippet('!?', 1, {}), '!?')
  })

  test('centers the words of the query, with ellipses for omitted text', () => {
    const text = `${filler(9)} red shoe ${filler(9)}`
    assert.equal(snippet(text, 6, { words: 'red shoe' }), '…lorem lorem [red] [shoe] lorem lorem…')
    assert.equal(snippet(`red ${filler(9)}`, 3, { words: 'red' }), '[red] lorem lorem…')
    assert.equal(snippet(`${filler(9)} red`, 3, { words: 'red' }), '…lorem lorem [red]')
    assert.equal(snippet(text, 1, { words: 'shoe' }), '…[shoe]…')
  })

  test('is the start of the text without a match', () => {
    assert.equal(snippet(filler(9), 3, { words: 'shoe' }), 'lorem lorem lorem…')
  })

  test('prefers most distinct words, then the heaviest, the shortest, the earliest', () => {
    const red = 'red red red'
    assert.equal(
      snippet(`${red} ${filler(9)} red shoe ${filler(9)}`, 3, { words: 'red shoe' }),
      '…[red] [shoe] lorem…',
    )
    const far = `red lorem shoe ${filler(9)} shoe red ${filler(9)}`
    assert.equal(snippet(far, 3, { words: 'red shoe' }), '…[shoe] [red] lorem…')
    const heavy = matchWords({ words: 'red shoe' })
    const marker = new TextMarker(analyzer, [heavy[0]!, { ...heavy[1]!, weight: 2 }])
    const text = `red ${filler(9)} shoe ${filler(9)} shoe`
    assert.equal(marker.snippet(text, 1, BRACKETS), '…[shoe]…')
    assert.equal(marker.snippet(text, 3, BRACKETS), '…lorem [shoe] lorem…')
  })

  test('cuts a text without words between characters', () => {
    const arrows = '▶\ufe0f'.repeat(1000)
    const cut = snippet(arrows, 2, {})
    assert.equal(cut, `${'▶\ufe0f'.repeat((2 * SNIPPET_LENGTH_PER_TOKEN_MAX) / 2)}…`)
    const late = snippet(`${'!'.repeat(10_000)}shoe${'?'.repeat(10_000)}`, 2, { words: 'shoe' })
    assert.match(late, /^…!+\[shoe\]\?+…$/)
    assert.equal(late.length, 2 * SNIPPET_LENGTH_PER_TOKEN_MAX + 4)
  })

  test('is a part of the text, within its limits, with as many words as the best window', () => {
    fc.assert(
      fc.property(arbitraryText, fc.integer({ min: 1, max: 6 }), (input, limit) => {
        fc.pre(!/[\u{f0000}\u{f0001}…]/u.test(input))
        const words = matchWords(MANY_WORDS)
        const marks = { before: OPEN, after: CLOSE, escape: false }
        const marked = new TextMarker(analyzer, words).snippet(input, limit, marks)
        const stripped = marked.replaceAll(PRIVATE, '')
        const shown = stripped.replace(/^…/, '').replace(/…$/, '')
        const at = input.indexOf(shown)
        assert.ok(at >= 0)
        assert.equal(stripped.startsWith('…') || input.startsWith(shown), true)
        assert.equal(stripped.endsWith('…') || input.endsWith(shown), true)
        assert.ok(shown.length <= (limit + 1) * SNIPPET_LENGTH_PER_TOKEN_MAX)
        marksByUnit(marked)
        if (naiveMarks(input, analyzer, words).includes(true)) assert.match(marked, /\u{f0000}/u)
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 1_000) },
    )
  })
})
