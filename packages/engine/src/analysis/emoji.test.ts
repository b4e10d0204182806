import assert from 'node:assert/strict'
import { test } from 'node:test'
import { superlinear } from '@aisle/testing'
import { createAnalyzer } from './create-analyzer.ts'
import { fold } from './fold.ts'

const analyzer = createAnalyzer()

/** Words as `form=text as written`. */
function words(text: string): string {
  return analyzer
    .analyze(text)
    .map(({ form, start, end }) => `${form}=${text.slice(start, end)}`)
    .join(' ')
}

test('an emoji is a word, even right after another one', () => {
  assert.equal(words('Shoes👟 for⛄!'), 'shoes=Shoes 👟=👟 for=for ⛄=⛄')
  assert.equal(words('👍👍 ❤'), '👍=👍 👍=👍 ❤=❤')
})

test('ignores skin tones and variation selectors', () => {
  assert.equal(words('👍🏽 👍 ❤️ ☀︎'), '👍=👍🏽 👍=👍 ❤=❤️ ☀=☀︎')
})

test('joined pictures are one word, and so are flags', () => {
  assert.equal(words('👩🏽‍💻 👨‍👩‍👧'), '👩‍💻=👩🏽‍💻 👨‍👩‍👧=👨‍👩‍👧')
  assert.equal(words('👩💻'), '👩=👩 💻=💻')
  assert.equal(words('🇩🇪🇫🇷'), '🇩🇪=🇩🇪 🇫🇷=🇫🇷')
  assert.equal(words('🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴'), '🏴󠁧󠁢󠁥󠁮󠁧󠁿=🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴=🏴')
})

test('signs of text, bullets and arrows are not emoji', () => {
  assert.equal(words('Kindle™ © ® ▪ ▶ ➡ → ★ №'), 'kindle=Kindle no=№')
})

test('the form of an emoji is folded and is one word', () => {
  for (const text of ['👩🏽‍💻', '❤️‍🔥', '🇩🇪', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👟\u200d', '🙂‍↔️', '👟\u0301']) {
    const tokens = analyzer.analyze(text)
    assert.equal(tokens.length, 1, text)
    const { form } = tokens[0]!
    assert.equal(fold(form), form)
    assert.deepEqual(
      analyzer.analyze(form).map((token) => token.form),
      [form],
    )
  }
})

test('a text of joiners, pictures and signs is read in linear time', () => {
  for (const part of ['👩\u200d', '👩', '🏽', '\u200d', '🏴󠁧', '🇩', '\ufe0f']) {
    const textOf = (chars: number) => part.repeat(chars / part.length)
    assert.equal(
      superlinear((text) => analyzer.analyze(text), textOf),
      undefined,
      part,
    )
  }
})
