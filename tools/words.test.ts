import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { EXCEPTIONS, idiomsIn, proseOnly } from './lib/banned-idioms.ts'
import { readSource, repositoryFiles } from './lib/source-files.ts'

suite('words', () => {
  const found = repositoryFiles()
    .filter((path) => /\.(md|tsx?)$/.test(path))
    .flatMap((path) => idiomsIn(readSource(path)))
  const isExcepted = (path: string, line: string): boolean =>
    EXCEPTIONS.some((one) => one.path === path && line.includes(one.text))

  test('no page reads as translated (a reminder: reading decides, see banned-idioms.ts)', () => {
    assert.deepEqual(
      found.filter(({ path, text }) => !isExcepted(path, text)).map(({ message }) => message),
      [],
    )
  })

  test('every exception is needed, and has a reason', () => {
    const idle = EXCEPTIONS.filter(
      (one) =>
        one.reason.length < 10 ||
        !found.some(({ path, text }) => path === one.path && text.includes(one.text)),
    )
    assert.deepEqual(idle, [])
  })

  test('idioms are found in prose, not in code and addresses', () => {
    const text = [
      'It is made anew.',
      '`anew` [here](anew.md)',
      '```sh',
      'anew',
      '```',
      'Of these two, one stands first.',
    ].join('\n')
    assert.deepEqual(
      idiomsIn({ path: 'a.md', text }).map(({ message }) => message.split(': say')[0]),
      ['a.md:1: "anew"', 'a.md:6: "stands"', 'a.md:6: "Of these"'],
    )
    assert.equal(proseOnly(text).split('\n').length, text.split('\n').length)
    const code = "let stands = 1 // made anew\nlet b = 'in vain'"
    assert.deepEqual(
      idiomsIn({ path: 'tools/a.ts', text: code }).map(({ message }) => message.split(': say')[0]),
      ['tools/a.ts:1: "anew"', 'tools/a.ts:2: "in vain"'],
    )
  })
})
