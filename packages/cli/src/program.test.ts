import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NOWHERE } from './context.ts'
import { createProgram, PARTS } from './program.ts'

const namesOf = async (word?: string): Promise<string[]> =>
  (await createProgram(NOWHERE, word)).commands.flatMap((command) => [
    command.name(),
    ...command.aliases(),
  ])

suite('the tree of commands', () => {
  test('has the words that its parts are found by', async () => {
    assert.deepEqual(
      await namesOf(),
      PARTS.flatMap(({ words }) => words),
    )
  })

  test('is loaded as far as the first word asks for it', async () => {
    assert.deepEqual(await namesOf('rules'), [
      'collections',
      'presets',
      'rules',
      'strategies',
      'synonyms',
      'stopwords',
    ])
    assert.equal((await namesOf('--help')).length, (await namesOf()).length)
    assert.equal((await namesOf('sotre')).length, (await namesOf()).length)
  })
})
