import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { absentReport, readAbsentWords, readMisspeltWords } from './absent-words.ts'
import type { AbsentReport } from './absent-words.ts'
import { loadSet } from './load-set.ts'
import { readOwnSet } from './own-set.ts'

/** As measured when corrections got their bound: 17, 18, 1 and 1. Before: 49, 49, 0 and 5. */
const SHOWN_MAX = 18
const SHOWN_IN_QUERY_MAX = 19
const MISSED_MAX = 2
const ASTRAY_MAX = 2

suite('words that the demo shop lacks, and misspelt words that it has', () => {
  let server: ServerProcess | undefined
  let client: ThinClient | undefined
  let report: AbsentReport

  before(async () => {
    server = await ServerProcess.start()
    client = new ThinClient(server.url, { adminToken: server.adminToken })
    const keys = await loadSet(
      client,
      'demo',
      readOwnSet('demo', () => ''),
    )
    report = await absentReport(client, keys, readAbsentWords(), readMisspeltWords())
  })
  after(async () => {
    client?.close()
    await server?.stop()
  })

  test('the shop has none of the 200 words, and reaches all misspelt ones', () => {
    assert.equal(report.absent, 200)
    assert.equal(report.queries, 200)
    assert.ok(report.misspelt >= 200, String(report.misspelt))
  })

  test('few of them show products that have another word', () => {
    const { shown, shownInQuery } = report
    assert.ok(shown.length <= SHOWN_MAX, shown.join(', '))
    assert.ok(shownInQuery.length <= SHOWN_IN_QUERY_MAX, shownInQuery.join(', '))
    assert.ok(report.asked > 0)
  })

  test('neither torch nor sneakers shows anything', () => {
    const wrong = [...report.shown, ...report.shownInQuery].filter((text) =>
      /torch|sneakers|couch/.test(text),
    )
    assert.deepEqual(wrong, [])
  })

  test('nearly all misspelt words find what was meant, first', () => {
    assert.ok(report.missed.length <= MISSED_MAX, report.missed.join(', '))
    assert.ok(report.astray.length <= ASTRAY_MAX, report.astray.join(', '))
  })
})
