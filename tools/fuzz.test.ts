import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFilterFuzz } from './fuzz/filters.ts'
import { answerProblem, ROUTES } from './fuzz/open-api.ts'
import { runRequestFuzz } from './fuzz/requests.ts'

// Campaigns have millions: `npm run fuzz`.
const FILTERS = Number(process.env['FUZZ_RUNS'] ?? 8_000)
const REQUESTS = Number(process.env['FUZZ_RUNS'] ?? 1_200)
const seed = Math.floor(Math.random() * 2 ** 31)

test('filter expressions mean the same in the index and in the naive evaluator', () => {
  const report = runFilterFuzz({ runs: FILTERS, seed })
  assert.deepEqual(report.problems, [], `seed ${seed}`)
  assert.equal(report.runs, FILTERS)
  assert.ok(report.parsed > FILTERS / 4, `${report.parsed} were filters`)
  assert.ok(report.partial > report.parsed / 4, `${report.partial} keep some documents`)
})

test('an undeclared answer is detected', () => {
  const { operation } = ROUTES.find((route) => route.operation.operationId === 'getHealth')!
  const answer = (status: number, text: string, type = 'application/json') =>
    answerProblem(operation, { status, type, headers: {}, body: Buffer.from(text) })
  assert.match(answer(500, '{}')!, /answered 500/)
  assert.match(answer(418, '{}')!, /not declared/)
  assert.match(answer(200, '{', 'application/json')!, /not JSON/)
  assert.match(answer(200, '{}', 'text/html')!, /text\/html/)
  assert.match(answer(200, '{}')!, /not what is declared/)
  assert.match(answer(400, '{"code":"nope","message":"x"}')!, /"nope"/)
})

test('generated requests get only declared answers, and no 5xx', async () => {
  const report = await runRequestFuzz({ runs: REQUESTS, seed, threads: 1 })
  assert.deepEqual(report.problems, [], `seed ${seed}`)
  assert.ok(report.succeeded.size > 40, `${report.succeeded.size} operations succeeded`)
})
