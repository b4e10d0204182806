import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import { EXIT_CODES } from '../packages/cli/src/index.ts'
import { CommandLine } from './lib/command-line.ts'

const MAIN = new URL('../packages/cli/src/main.ts', import.meta.url).pathname
/** Enough for a kill in the middle. */
const ROWS = 30_000

let line: CommandLine

async function titleOf(id: string): Promise<string | undefined> {
  const { exit, out } = await line.run(['documents', 'get', id])
  return exit === 0 ? /title: (.*)/.exec(out)?.[1] : undefined
}

suite('aisle import --bulk', () => {
  before(async () => {
    line = await CommandLine.start()
    const made = await line.well('store', 'create', 'Shop', '--id', 'shop', '--json')
    line.environment['AISLE_WRITE_SECRET'] = made.json()['write_secret']
    const fields = [
      { name: 'title', type: 'string', searchable: true },
      { name: 'price', type: 'float' },
    ]
    await line.well('schema', 'set', line.file('schema.json', JSON.stringify({ fields })))
    await line.well('import', line.file('old.ndjson', '{"id":"old","title":"Old"}'))
  })
  after(() => line.stop())

  test('replaces all documents by a swap, which can be undone', async () => {
    const next = line.file('next.ndjson', '{"id":"a","title":"Pin"}\n{"id":"b","title":"Peg"}')
    const { out } = await line.well('import', next, '--bulk')
    assert.match(out, /^2 documents imported/)
    assert.match(out, /Store "shop" now has 2 documents \(before: 1\)/)
    assert.deepEqual([await titleOf('a'), await titleOf('old')], ['Pin', undefined])
    await line.well('store', 'swap', 'shop', 'shop-next')
    assert.deepEqual([await titleOf('a'), await titleOf('old')], [undefined, 'Old'])
    const again = await line.run(['import', next, '--bulk'])
    assert.equal(again.exit, EXIT_CODES.usage.code)
    assert.match(again.err, /"shop-next" exists from an earlier run.*--restart/)
    const restarted = await line.well(
      'import',
      next,
      '--bulk',
      '--restart',
      '--delete-old',
      '--json',
    )
    const { documents, deleted } = restarted.json() as { documents: number; deleted: boolean }
    assert.deepEqual([documents, deleted], [2, true])
    assert.match((await line.run(['store', 'get', 'shop-next'])).err, /no store/)
  })

  test('swaps nothing if a row is refused, and says so', async () => {
    const rows = '{"id":"c","title":"Cup"}\n{"id":"d","title":"Mug","price":"cheap"}'
    const { exit, err } = await line.run(['import', line.file('bad.ndjson', rows), '--bulk'])
    assert.equal(exit, EXIT_CODES.incomplete.code)
    assert.match(err, /1 row was refused, so nothing was swapped/)
    assert.deepEqual([await titleOf('c'), await titleOf('a')], [undefined, 'Pin'])
  })

  test('killed in the middle, it continues; until then the store serves what it had', async () => {
    const rows = Array.from({ length: ROWS }, (_, i) => `{"id":"n${i}","title":"New ${i}"}`)
    const file = line.file('many.ndjson', rows.join('\n'))
    const child = spawn(process.execPath, [MAIN, 'import', file, '--bulk', '--restart'], {
      env: { ...process.env, ...line.environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (text: Buffer) => (said += text.toString()))
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const mark = `${file}.aisle-import`
    const how = { timeoutMs: 60_000, pauseMs: 1 }
    await until(
      () => `some rows; it said ${said}`,
      () => existsSync(mark),
      how,
    )
    child.kill('SIGKILL')
    await ended
    const { rows: done } = JSON.parse(readFileSync(mark, 'utf8')) as { rows: number }
    assert.ok(done < ROWS, 'killed too late')
    assert.deepEqual([await titleOf('n0'), await titleOf('a')], [undefined, 'Pin'])
    const { out } = await line.well('import', file, '--bulk', '--resume', '--delete-old')
    assert.match(out, /Store "shop" now has 30,000 documents \(before: 2\)/)
    assert.equal(await titleOf(`n${ROWS - 1}`), `New ${ROWS - 1}`)
    assert.ok(!existsSync(mark))
  })

  test('its options are checked before anything is done', async () => {
    const file = line.file('one.ndjson', '{"id":"z","title":"Z"}')
    for (const [words, complains] of [
      [['--restart'], /need --bulk/],
      [['--bulk', '--action', 'insert'], /replaces all documents/],
      [['--bulk', '--resume', '--restart'], /either --resume or --restart/],
      [['--bulk', '--resume'], /Nothing to resume/],
    ] as const) {
      const { exit, err } = await line.run(['import', file, ...words])
      assert.equal(exit, EXIT_CODES.usage.code)
      assert.match(err, complains)
    }
  })
})
