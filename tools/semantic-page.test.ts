import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { until } from '@aisle/testing'
import { withoutOnnx } from '../packages/server/src/adapters/embedders/test/fixture-configs.ts'
import { openFixtureEndpoint } from '../packages/server/src/adapters/embedders/test/fixture-endpoint.ts'
import { writeFixtureModel } from '../packages/server/src/adapters/embedders/test/fixture-model.ts'
import { CommandLine } from './lib/command-line.ts'
import { PageCommands } from './lib/page-commands.ts'
import { runAisle } from './lib/run-aisle.ts'

const page = new PageCommands('docs/semantic.md')
/** The table of the page: the other kinds of embedders know the same words. */
const words = Object.fromEntries(
  page
    .file('words.txt')
    .trim()
    .split('\n')
    .map((line) => {
      const [word = '', ...values] = line.split(' ')
      return [word, values.map(Number)]
    }),
)

suite('the worked example of docs/semantic.md', () => {
  test('with a table of words', () => runExample('table', {}))

  test('with an endpoint', async () => {
    await using endpoint = await openFixtureEndpoint(words)
    await runExample('endpoint', { 'http://localhost:11434/v1': endpoint.url })
  })

  test('with a model folder', { skip: withoutOnnx() }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aisle-model-'))
    writeFixtureModel(folder, undefined, words)
    writeFileSync(join(folder, 'config.json'), '{"hidden_size":8}')
    await runExample('folder', { './all-MiniLM-L6-v2': folder })
    rmSync(folder, { recursive: true })
  })
})

/**
 * @param kind says which is the first command
 * @param places what takes the place of words of the page
 */
async function runExample(
  kind: 'table' | 'endpoint' | 'folder',
  places: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-embedders-'))
  const write = (name: string, content: string): string => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const { PATH = '', NODE_PATH = '' } = process.env
  const environment = { PATH, NODE_PATH, AISLE_EMBEDDERS_FILE: join(folder, 'embedders.json') }
  const [add = []] = page.of(`sh add ${kind}`, write)
  const added = await runAisle(
    add.map((word) => places[word] ?? word),
    { environment },
  )
  assert.equal(added.exit, 0, added.err)
  const line = await CommandLine.start(environment)
  try {
    const made = await line.well('store', 'create', 'Shop', '--id', 'shop', '--json')
    line.environment['AISLE_WRITE_SECRET'] = made.json()['write_secret']
    const [fill = [], before = []] = page.of('sh search', write)
    await line.well(...fill)
    assert.equal(untimed(await line.well(...before)), page.outputAfter('sh search'))
    const [set = [], after = []] = page.of('sh setting', write)
    await line.well(...set)
    // Products get their vectors in the background; a query whose vector is late goes by words.
    const expected = page.outputAfter('sh setting')
    let shown = ''
    await until('the search finds by meaning', async () => {
      shown = untimed(await line.well(...after))
      return !shown.startsWith('0')
    })
    assert.equal(shown, expected)
  } finally {
    await line.stop()
    rmSync(folder, { recursive: true })
  }
}

/** Output without the time that a search took. */
function untimed({ out }: { readonly out: string }): string {
  return out.replace(/ in [\d.]+ ms$/m, '')
}
