import assert from 'node:assert/strict'
import test from 'node:test'
import type { TestEvent } from './compact-reporter.ts'
import compactReporter from './compact-reporter.ts'

async function report(events: TestEvent[]): Promise<string> {
  let output = ''
  for await (const text of compactReporter(from(events))) output += text
  return output
}

async function* from(events: TestEvent[]): AsyncIterable<TestEvent> {
  yield* events
}

function failure(message: string, failureType: string): Error {
  return Object.assign(new Error(message, { cause: new Error(message) }), { failureType })
}

test('passes are dots, and the totals stand in the last line', async () => {
  const output = await report([
    { type: 'test:pass', data: { name: 'a', details: { type: 'test' } } },
    { type: 'test:pass', data: { name: 'b', details: { type: 'test' } } },
    { type: 'test:pass', data: { name: 'the suite', details: { type: 'suite' } } },
  ])
  assert.match(output, /^\.\.\n/)
  assert.match(output, /tests: 2 passed, 0 failed, 0 skipped\n$/)
})

test('a skipped test is counted and listed with its reason', async () => {
  const output = await report([
    { type: 'test:pass', data: { name: 'later', skip: 'no data', details: { type: 'test' } } },
  ])
  assert.match(output, /later: no data/)
  assert.match(output, /0 passed, 0 failed, 1 skipped\n$/)
})

test('a failure is shown in full, and its suite is not counted a second time', async () => {
  const error = failure('expected 1, got 2', 'testCodeFailure')
  const suite = failure('1 subtest failed', 'subtestsFailed')
  const output = await report([
    { type: 'test:fail', data: { name: 'counts', details: { type: 'test', error } } },
    { type: 'test:fail', data: { name: 'suite', details: { type: 'suite', error: suite } } },
  ])
  assert.match(output, /✖ counts[^]*expected 1, got 2/)
  assert.match(output, /0 passed, 1 failed, 0 skipped\n$/)
})

test('a suite whose hook throws is a failure', async () => {
  const error = failure('no port', 'hookFailed')
  const output = await report([
    { type: 'test:fail', data: { name: 'suite', details: { type: 'suite', error } } },
  ])
  assert.match(output, /0 passed, 1 failed, 0 skipped\n$/)
})
