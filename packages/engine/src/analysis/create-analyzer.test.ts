import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from './create-analyzer.ts'

suite('createAnalyzer', () => {
  test('a language has one analyzer, whatever its region', () => {
    const english = createAnalyzer()
    assert.equal(english.language, 'en')
    for (const tag of ['en', 'EN', 'en-GB', 'en_US', 'en-Latn-US']) {
      assert.equal(createAnalyzer(tag), english)
    }
    assert.notEqual(createAnalyzer('de'), english)
  })

  test('a language without a stemmer has the same tokens, each word as its stem, and no stopwords', () => {
    const unknown = createAnalyzer('xx')
    const text = 'T-shirts for 10" men, the best'
    assert.equal(unknown.language, 'xx')
    assert.deepEqual(unknown.analyze(text), createAnalyzer().analyze(text))
    assert.equal(unknown.stem('shirts'), 'shirts')
    assert.equal(unknown.isStopword('the'), false)
  })

  test('an invalid tag is undetermined', () => {
    for (const tag of ['', '-', 'x', '../../etc', 'a'.repeat(1e6)]) {
      assert.equal(createAnalyzer(tag).language, 'und')
    }
  })

  test('English has stems and stopwords', () => {
    const english = createAnalyzer()
    assert.equal(english.stem('knives'), english.stem('knife'))
    for (const word of ['the', 'with', 'in']) assert.ok(english.isStopword(word))
    for (const word of ['red', 'not', 'without']) assert.ok(!english.isStopword(word))
    assert.equal(english.fold('Café'), 'cafe')
  })

  test('stems stay correct when their memo overflows', () => {
    const analyzer = createAnalyzer()
    for (let i = 0; i < 70_000; i++) analyzer.stem(`w${i.toString(36)}`)
    assert.equal(analyzer.stem('batteries'), analyzer.stem('battery'))
    assert.equal(analyzer.stem('sunglassesholders'), analyzer.stem('sunglassesholder'))
    assert.equal(analyzer.stem(''), '')
  })
})
