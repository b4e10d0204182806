import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import pino from 'pino'
import { plainLines } from './plain-line.ts'

const BASE = { thread: 3, name: 'serve "3"' }
const INFO = 30

function pinoLine(
  base: typeof BASE | Record<string, never>,
  parameters: readonly unknown[],
): string {
  let written = ''
  const logger = pino(
    { base, timestamp: () => ',"time":17' },
    { write: (line) => (written = line) },
  )
  logger.info(...(parameters as [object, string]))
  return written
}

suite('plain lines of the log', () => {
  test('are as pino writes them', () => {
    const line = plainLines(BASE)
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.constant(undefined))
    const members = fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z_ "]*$/), value)
    fc.assert(
      fc.property(members, fc.string({ unit: 'binary' }), (own, message) => {
        assert.equal(line(INFO, 17, [{ ...own }, message]), pinoLine(BASE, [{ ...own }, message]))
      }),
    )
    const request = { reqId: 'a', method: 'POST', route: '/v1/search', status: 200, tookMs: 0.5 }
    assert.equal(plainLines({})(INFO, 17, [request, '%s']), pinoLine({}, [request, '%s']))
  })

  test('are left to pino where it would do more', () => {
    const line = plainLines(BASE)
    for (const parameters of [
      ['text'],
      [{ a: 1 }],
      [{ a: 1 }, 'of %s', 2],
      [{ err: new Error('bug') }, 'text'],
      [{ a: { b: 1 } }, 'text'],
      [{ toJSON: () => 1 }, 'text'],
      [{ a: 1n }, 'text'],
      [null, 'text'],
      [new Error('bug'), 'text'],
    ]) {
      assert.equal(line(INFO, 17, parameters), undefined)
    }
  })
})
