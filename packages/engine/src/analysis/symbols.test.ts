import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { superlinear } from '@aisle/testing'
import fc from 'fast-check'
import { createAnalyzer } from './create-analyzer.ts'
import { fieldAnalyzer, queryAnalyzer } from './field-analyzer.ts'
import { asSymbol } from './symbols.ts'

/** Forms by position: `word` or `word(joined, ...)`; `joined/2` over two positions. */
function show(name: string, text: string): string {
  const shown: string[] = []
  for (const { form, position, span, kind, bare } of createAnalyzer(name).analyze(text)) {
    if (kind !== 'joined') shown[position] = form
    else shown[position] += `(${form}${bare === true ? '' : `/${span}`})`
  }
  return shown.join(' ')
}

suite('symbols', () => {
  test('a word includes its symbols and has a second spelling without them', () => {
    assert.equal(show('en +# ', 'C++ and C#, or C'), 'c++(c) and c#(c) or c')
    assert.equal(
      show('en . ', 'The .NET one. Node.js'),
      'the .net(net) one node(nodejs/2)(node.js/2) js',
    )
    assert.equal(show('en + ', 'a＋'), 'a+(a)')
  })

  test('symbols over several words add a joined spelling', () => {
    assert.equal(show('en / ', 'AC/DC'), 'ac(acdc/2)(ac/dc/2) dc')
    assert.equal(show('en + ', '10mm+ 3.5+'), '10(10mm/2)(10mm+/2) mm 3.5+(3.5)')
    assert.equal(show('en + ', 't-shirt+'), 't(tshirt/2) shirt+(shirt)')
  })

  test('symbols alone are words, and stopwords', () => {
    assert.equal(show('en &+ ', 'B & W ++'), 'b & w ++')
    assert.ok(createAnalyzer('en + ').isStopword('++'))
    assert.ok(!createAnalyzer('en + ').isStopword('a+'))
  })

  test('separators count as spaces', () => {
    assert.equal(show('en  /', 'AC/DC 1/2'), 'ac dc 1 2')
    assert.equal(show('en  .', '3.5mm'), '3 5(5mm/2) mm')
    assert.equal(show('en + /', 'C++/C'), 'c++(c) c')
  })

  test('sentence punctuation at the end of a run is not part of it', () => {
    assert.equal(show('en .! ', 'Yahoo! net.'), 'yahoo!(yahoo) net')
  })

  // Goal: symbols never lose a match. Method: without what symbols add, the tokens are the plain
  // ones.
  test('symbols keep all tokens of the plain text', () => {
    const piece = fc.constantFrom(
      ..."a C++ x+y .net t-shirt 10mm 3.5 東京 é 4\" ' men's . 👟".split(' '),
    )
    const text = fc.array(fc.tuple(piece, fc.constantFrom('', ' ', '-', '+', '#')), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(text, (pieces) => {
        const written = pieces.flat().join('')
        const tokens = createAnalyzer('en +#. ').analyze(written)
        for (const { form, start, end } of createAnalyzer('en').analyze(written)) {
          const kept = tokens.some(
            (token) => token.form === form && token.start <= start && token.end >= end,
          )
          assert.ok(kept, `${form} of ${written}`)
        }
        tokens.forEach((token, i) => {
          const before = tokens[i - 1]?.position ?? -1
          assert.ok(token.position === before || token.position === before + 1, written)
          assert.ok(token.kind !== 'joined' || token.position === before, written)
        })
      }),
    )
  })

  test('a text is read in linear time', () => {
    const analyzer = createAnalyzer('en +- /')
    for (const part of ['+', 'a+', '+ ', 'a-', '/', 'a/+']) {
      const textOf = (chars: number) => part.repeat(chars / part.length)
      assert.equal(
        superlinear((text) => analyzer.analyze(text), textOf),
        undefined,
        part,
      )
    }
  })
})

test('accepts valid symbols only', () => {
  assert.deepEqual(['+', '＋', '–', '€', '™', '𝄞'].map(asSymbol), ['+', '+', '-', '€', '™', '𝄞'])
  for (const other of ['', 'a', '1', '½', '×', '👟', ' ', '\n', '\u0301', '++', '\ud800', '東']) {
    assert.equal(asSymbol(other), undefined, other)
  }
})

suite('fields with their own symbols', () => {
  const store = createAnalyzer('en + /')

  test('override the symbols of the store', () => {
    assert.equal(fieldAnalyzer(store, {}), store)
    assert.equal(fieldAnalyzer(store, { symbols: '#' }).name, 'en # /')
    assert.equal(fieldAnalyzer(store, { symbols: '/' }).name, 'en / ')
    assert.equal(fieldAnalyzer(store, { symbols: '', separators: '' }).name, 'en')
    const german = fieldAnalyzer(store, { language: 'de', symbols: '#' })
    const forms = german.analyze('Häuser#').map(({ form }) => form)
    assert.deepEqual([forms[0], forms.length], ['hauser#', 3])
  })

  test('queries use the symbols of all fields', () => {
    const field = {
      name: 'x',
      type: 'string',
      searchable: true,
      facet: false,
      sort: false,
    } as const
    const schema = { fields: [field, { ...field, name: 'y', symbols: '#' }] }
    const ofQueries = queryAnalyzer(store, schema)
    assert.equal(ofQueries.name, 'en #+ /')
    assert.equal(queryAnalyzer(store, schema), ofQueries)
    assert.equal(fieldAnalyzer(ofQueries, {}), store)
    assert.equal(queryAnalyzer(store, { fields: [field] }), store)
  })
})
