import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import test, { after, before, suite } from 'node:test'
import { promisify } from 'node:util'
import { REPOSITORY } from '@aisle/testing'
import { startDocumentedService } from './lib/documented-service.ts'
import { readSource } from './lib/source-files.ts'

const run = promisify(execFile)

/** The shell blocks of one section of the README, in order. */
function shellBlocks(heading: string): string[] {
  const part = readSource('README.md').text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...part.matchAll(/^```sh\n([^]*?)^```$/gm)].map((match) => match[1] ?? '')
}

suite('documented examples work when pasted', () => {
  let server: Awaited<ReturnType<typeof startDocumentedService>>
  before(async () => {
    server = await startDocumentedService()
  })
  after(() => server.stop())

  test('the tour of the README', async () => {
    const [settings = '', ...steps] = shellBlocks('A tour')
    const own = settings
      .replace(/AISLE=\S+/, `AISLE=${server.url}`)
      .replace(/ADMIN=\S+/, `ADMIN=${server.adminToken}`)
    const script = ['set -e', own, ...steps].join('\n').replaceAll(/^curl .*$/gm, `echo; $&`)
    const { stdout } = await run('bash', ['-c', script])
    const answers = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const found = (i: number): unknown[] => [
      answers[i]?.['found'],
      (answers[i]?.['hits'] as { id: string }[] | undefined)?.map(({ id }) => id),
    ]
    assert.equal(answers.length, 8, stdout)
    assert.equal(answers[0]?.['store_id'], 'shop')
    assert.deepEqual(answers[1]?.['fields_added'], ['title', 'brand', 'price'])
    assert.deepEqual([answers[2]?.['indexed'], answers[2]?.['errors']], [3, []])
    assert.deepEqual(found(3), [2, ['3', '1']])
    assert.deepEqual(found(4), [2, ['3', '1']])
    assert.equal(answers[4]?.['corrected_query'], 'tent')
    assert.deepEqual(found(5), [2, ['2', '1']])
    const facets = answers[5]?.['facets'] as { brand: unknown[] } | undefined
    assert.equal(facets?.brand.length, 2)
    assert.equal(answers[6]?.['found'], 1)
    assert.equal(answers[7]?.['code'], 'unknown_field')
  })

  test('the next steps of the README: a click that belongs to its search, a page that may call', async () => {
    const [settings = '', create = ''] = shellBlocks('A tour')
    const [click = '', report = ''] = shellBlocks('Events')
    const [origins = ''] = shellBlocks('From the browser')
    const own = settings
      .replace(/AISLE=\S+/, `AISLE=${server.url}`)
      .replace(/ADMIN=\S+/, `ADMIN=${server.adminToken}`)
    const store = create.replace('"id": "shop"', '"id": "shop2"')
    const steps = [click, 'echo; sleep 2', report, 'echo', origins]
    const script = ['set -e', own, store, ...steps].join('\n')
    const { stdout } = await run('bash', [
      '-c',
      script
        .replaceAll('x-storeid: shop', 'x-storeid: shop2')
        .replaceAll('/stores/shop/', '/stores/shop2/'),
    ])
    const [, event, queries, changed] = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.equal(event?.['status'], 'accepted', stdout)
    const rows = queries?.['rows'] as Record<string, unknown>[] | undefined
    const row = rows?.[0]
    assert.deepEqual(
      [row?.['query'], row?.['clicks'], row?.['click_through_rate']],
      ['tents', 1, 1],
    )
    assert.deepEqual(changed?.['cors_origins'], ['https://shop.example'], stdout)
  })

  test('examples/index-and-search.ts', async () => {
    const { stdout } = await run(
      process.execPath,
      [join(REPOSITORY, 'examples/index-and-search.ts')],
      {
        env: { ...process.env, AISLE_URL: server.url, AISLE_ADMIN_TOKEN: server.adminToken },
      },
    )
    assert.deepEqual(stdout.trim().split('\n'), [
      '3 documents indexed',
      'sock-2 was refused: Cannot index document "sock-2": field "price" must be float, received "cheap"',
      '2 found for "hiking boots"',
      '129.00  Waterproof <mark>hiking</mark> <mark>boots</mark>',
      '89.50  Winter <mark>boots</mark>',
      'black: 2',
      'brown: 1',
    ])
  })
})
