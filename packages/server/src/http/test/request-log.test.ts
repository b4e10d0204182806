import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { REQUEST_LINES_PER_SECOND_MAX as LINES } from '@aisle/contract/limits'
import { pino } from 'pino'
import { RequestLog, type RequestLine } from '../plugins/request-log.ts'

const LINE: RequestLine = {
  reqId: 'r',
  method: 'POST',
  route: '/v1/search',
  status: 200,
  tookMs: 1,
  storeId: 's',
}

suite('the log of requests', () => {
  function logged(level: string, add: (log: RequestLog, clock: { nowMs: number }) => void) {
    const lines: Record<string, unknown>[] = []
    const write = (line: string): void => void lines.push(JSON.parse(line))
    const clock = { nowMs: 5_000 }
    const log = new RequestLog(pino({ level }, { write }), () => clock.nowMs)
    add(log, clock)
    log.flush()
    return lines.map(({ msg, requests, status }) =>
      msg === 'request' ? status : { omitted: requests },
    )
  }

  test('above the limit of a second, slow and failed requests have a line, others a number', () => {
    const lines = logged('info', (log, clock) => {
      for (let i = 0; i < LINES + 7; i++) log.add(LINE)
      log.add({ ...LINE, tookMs: 200, status: 201 })
      log.add({ ...LINE, status: 503 })
      clock.nowMs += 1_000
      log.add({ ...LINE, status: 404 })
    })
    assert.deepEqual(lines.slice(LINES), [201, 503, { omitted: 7 }, 404])
  })

  test('the last second is counted when the service stops', () => {
    const lines = logged('info', (log) => {
      for (let i = 0; i < LINES + 1; i++) log.add(LINE)
    })
    assert.deepEqual(lines.slice(LINES), [{ omitted: 1 }])
  })

  test('at level debug, every request has its line', () => {
    const lines = logged('debug', (log) => {
      for (let i = 0; i < LINES + 9; i++) log.add(LINE)
    })
    assert.equal(lines.length, LINES + 9)
  })
})
