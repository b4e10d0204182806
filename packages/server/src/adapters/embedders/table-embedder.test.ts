import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { memoryFolder } from '@aisle/testing'
import { embedderConformance } from '../../ports/search/embedder.conformance.ts'
import { TableEmbedder } from './table-embedder.ts'
import { tableConfig } from './test/fixture-configs.ts'

const NEVER = new AbortController().signal

embedderConformance('a table of words', () => Promise.resolve(openTable()))

/** @param text its file; absent: the words of the fixtures */
function openTable(text?: string, more: object = {}): TableEmbedder & AsyncDisposable {
  const folder = memoryFolder('aisle-table-')
  const config = tableConfig(folder, more)
  if (text !== undefined) writeFileSync(config.path, text)
  return Object.assign(new TableEmbedder(config), {
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
  })
}

suite('a table of words', () => {
  test('a text without a known word has no vector; case and marks do not matter', async () => {
    await using table = openTable()
    const [none, upper, plain] = await table.embed(
      ['…', 'GAS, stove!', 'gas stove'],
      'query',
      NEVER,
    )
    assert.equal(none, undefined)
    assert.deepEqual(upper, plain)
  })

  test('frequent words, which come first in the file, count less', async () => {
    const word = (name: string, place: number): string =>
      [name, ...Array.from({ length: 8 }, (_, i) => (i === place ? 1 : 0))].join(' ')
    const filler = Array.from({ length: 1_000 }, (_, i) => word(`w${i}`, 7))
    await using table = openTable([word('the', 0), ...filler, word('stove', 1)].join('\n'), {
      wordsMax: 10_000,
    })
    const [vector] = await table.embed(['the stove'], 'query', NEVER)
    assert.ok(vector![1]! > 0.98, String(vector))
  })

  test('the first line of word2vec, repeated words and words with spaces are not entries', async () => {
    const line = 'gas 1 0 0 0 0 0 0 0'
    const text = `2 8\n${line}\nstove 0 1 0 0 0 0 0 0\n. . 0 1 0 0 0 0 0 0\ngas 0 0 1 0 0 0 0 0`
    await using table = openTable(text)
    const [gas] = await table.embed(['gas'], 'query', NEVER)
    assert.equal(gas![0], 1)
  })

  test('words beyond the limit are not read', async () => {
    await using table = openTable(undefined, { wordsMax: 2 })
    const [gas, lamp] = await table.embed(['gas', 'lamp'], 'query', NEVER)
    assert.deepEqual([gas !== undefined, lamp], [true, undefined])
  })

  test('a file that is not a table is unavailable, with the line', async () => {
    for (const [text, expected] of [
      ['', /has no words/],
      ['gas 1 2 3', /line 1: expected a word and 8 numbers, received 3/],
      ['gas 1 0 0 0 0 0 0 0\nlamp 1 0 0 x 0 0 0 0', /line 2/],
      ['x'.repeat(300_000), /has no lines/],
    ] as const) {
      await using table = openTable(text)
      const call = table.embed(['gas'], 'query', NEVER)
      await assert.rejects(call, { name: 'EmbedderUnavailable', message: expected })
    }
  })
})
