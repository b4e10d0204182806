import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { REPOSITORY } from '@aisle/testing'
import { messagesOf, type TestEvent } from './test-messages-reporter.ts'
import { TestReport } from './test-report.ts'

/** What a run shows whose one process has reported so. */
function shown(events: readonly TestEvent[], quarantine: readonly string[] = []) {
  const report = new TestReport(quarantine)
  let lines = ''
  for (const event of events) {
    for (const message of messagesOf(event, 'a.test.ts')) lines += report.take(message)
  }
  return { lines, summary: report.summary(61_000), totals: report.totals }
}

function passed(name: string, more: object = {}, type = 'test'): TestEvent {
  const details = { type, duration_ms: 1_500 }
  return { type: 'test:pass', data: { name, nesting: 2, file: 'b.ts', line: 3, details, ...more } }
}

function failed(message: string, failureType: string, type = 'test', nesting = 2): TestEvent {
  const error = Object.assign(new Error(message, { cause: new Error(message) }), { failureType })
  const details = { type, error, duration_ms: 3_000 }
  return { type: 'test:fail', data: { name: type, nesting, file: 'b.ts', details } }
}

const END = passed('a.test.ts', { nesting: 0, details: { type: 'test', duration_ms: 3_000 } })

suite('the report of a test run', () => {
  test('has a line for each file, with its tests and its time, suites not counted', () => {
    const { lines, summary } = shown([
      passed('one'),
      passed('inner', { nesting: 3 }),
      passed('outer', {}, 'suite'),
      passed('a.test.ts', { nesting: 1 }, 'suite'),
      END,
    ])
    assert.equal(lines, '    3.0 s     2  a.test.ts\n')
    assert.match(summary, /slowest files:\n +3\.0 s {2}a\.test\.ts\n/)
    assert.match(summary, /tests: 2 passed, 0 failed, 0 skipped, in 1 min 1 s\n$/)
  })

  test('counts a skipped test or suite, and lists it with its reason', () => {
    const skipped = passed('later', { skip: 'no data' })
    const { lines, summary } = shown([skipped, passed('all', { skip: 'no disk' }, 'suite'), END])
    assert.match(lines, /2 skipped\n$/)
    assert.match(summary, /b\.ts:3 later: no data/)
    assert.match(summary, /0 passed, 0 failed, 2 skipped/)
  })

  test('shows a failure in full, and does not count its suite a second time', () => {
    const { lines, summary } = shown([
      failed('expected 1, got 2', 'testCodeFailure'),
      failed('1 subtest failed', 'subtestsFailed', 'suite'),
      failed('1 subtest failed', 'subtestsFailed', 'suite', 1),
      failed('1 subtest failed', 'subtestsFailed', 'test', 0),
    ])
    assert.match(lines, /✖ 1 failed\n$/)
    assert.match(summary, /✖ test \(b\.ts\)[^]*expected 1, got 2/)
    assert.match(summary, /0 passed, 1 failed, 0 skipped/)
  })

  test('tells a failure in short for the end of all checks', () => {
    const report = new TestReport()
    report.fail(`no port${'.'.repeat(1_000)}`)
    assert.match(report.failuresInShort()[0]!, /^✖ no port\.{300,400}$/)
  })

  test('lists apart what failed in quarantine, and fails nothing for it', () => {
    const { summary, totals } = shown([failed('too late', 'testCodeFailure'), END], ['a.test.ts'])
    assert.deepEqual(totals, { passed: 0, failed: 0, skipped: 0, quarantined: 1 })
    assert.match(summary, /FAILED IN QUARANTINE:\n[^]*too late[^]*, 1 failed in quarantine, in/)
  })

  test('counts a suite whose hook throws as a failure', () => {
    assert.match(shown([failed('no port', 'hookFailed', 'suite')]).summary, /0 passed, 1 failed/)
  })

  test('counts a file that cannot be loaded as a failure', () => {
    const { summary } = shown([failed('no module', 'testCodeFailure', 'suite', 1)])
    assert.match(summary, /✖ the file itself \(a\.test\.ts\)[^]*no module/)
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
      assert.match(stdout, /crash\.test\.mjs: its process ended early with exit code 0/)
      assert.match(stdout, /, 1 failed, 0 skipped/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
