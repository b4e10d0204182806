import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { REPOSITORY } from '@aisle/testing'
import { messageOf, type TestEvent } from './test-messages-reporter.ts'
import { TestReport } from './test-report.ts'

/** What a run shows whose one process has reported so. */
function shown(events: readonly TestEvent[]): { lines: string; summary: string } {
  const report = new TestReport()
  let lines = ''
  for (const event of events) {
    const message = messageOf(event)
    if (message !== undefined) lines += report.take('all', message)
  }
  return { lines: lines + report.finish('all'), summary: report.summary(61_000) }
}

function passed(file: string, name: string, more: object = {}, type = 'test'): TestEvent {
  const details = { type, duration_ms: 1_500 }
  return { type: 'test:pass', data: { name, nesting: 0, file, line: 3, details, ...more } }
}

function failed(message: string, failureType: string, type = 'test'): TestEvent {
  const error = Object.assign(new Error(message, { cause: new Error(message) }), { failureType })
  return { type: 'test:fail', data: { name: type, file: 'a.test.ts', details: { type, error } } }
}

suite('the report of a test run', () => {
  test('has a line for each file, with its tests and their time, suites not counted', () => {
    const { lines, summary } = shown([
      passed('a.test.ts', 'one'),
      passed('a.test.ts', 'inner', { nesting: 1 }),
      passed('a.test.ts', 'outer', {}, 'suite'),
      passed('b.test.ts', 'two'),
    ])
    assert.equal(lines, '    3.0 s     2  a.test.ts\n    1.5 s     1  b.test.ts\n')
    assert.match(summary, /slowest files:\n +3\.0 s {2}a\.test\.ts\n/)
    assert.match(summary, /tests: 3 passed, 0 failed, 0 skipped, in 1 min 1 s\n$/)
  })

  test('counts a skipped test, and lists it with its reason', () => {
    const { lines, summary } = shown([passed('a.test.ts', 'later', { skip: 'no data' })])
    assert.match(lines, /1 skipped\n$/)
    assert.match(summary, /a\.test\.ts:3 later: no data/)
    assert.match(summary, /0 passed, 0 failed, 1 skipped/)
  })

  test('shows a failure in full, and does not count its suite a second time', () => {
    const { lines, summary } = shown([
      failed('expected 1, got 2', 'testCodeFailure'),
      failed('1 subtest failed', 'subtestsFailed', 'suite'),
    ])
    assert.match(lines, /✖ 1 failed\n$/)
    assert.match(summary, /✖ test \(a\.test\.ts\)[^]*expected 1, got 2/)
    assert.match(summary, /0 passed, 1 failed, 0 skipped/)
  })

  test('tells a failure in short for the end of all checks', () => {
    const report = new TestReport()
    report.fail(`no port${'.'.repeat(1_000)}`)
    assert.match(report.failuresInShort()[0]!, /^✖ no port\.{300,400}$/)
  })

  test('lists apart what passed when its file ran again, and counts it as passed', () => {
    const report = new TestReport()
    const message = messageOf(failed('too late', 'testCodeFailure'))
    report.take('all', message!)
    report.fail('a process ended early')
    assert.deepEqual(report.failedFiles(), ['a.test.ts'])
    report.passedAgain()
    assert.deepEqual(report.totals, { passed: 1, failed: 1, skipped: 0 })
    assert.match(report.summary(1), /PASSED WHEN RUN AGAIN:\n[^]*too late[^]*✖ a process ended/)
  })

  test('counts a suite whose hook throws as a failure', () => {
    assert.match(shown([failed('no port', 'hookFailed', 'suite')]).summary, /0 passed, 1 failed/)
  })

  test('a process that ends before all its tests have run is a failure', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aisle-tests-'))
    const file = join(folder, 'crash.test.mjs')
    writeFileSync(
      file,
      "import test from 'node:test'\ntest('one', () => {})\ntest('two', () => process.exit(0))\n",
    )
    try {
      const { TEST_TOTALS_FILE: _, NODE_TEST_CONTEXT: __, ...env } = process.env
      const { status, stdout } = spawnSync(process.execPath, ['tools/test.ts', file], {
        cwd: REPOSITORY,
        encoding: 'utf8',
        env,
      })
      assert.equal(status, 1)
      assert.match(stdout, /ended with exit code 0 before all tests had run/)
      assert.match(stdout, /, 1 failed, 0 skipped/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
