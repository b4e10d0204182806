import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import type { TracedRequest } from '../../ports/host/request-tracer.ts'
import { createTracer } from './tracer.ts'
import type { TracingOptions } from '../../ports/host/request-tracer.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const NOW = Date.UTC(2026, 10, 21)

const REQUEST: TracedRequest = {
  method: 'POST',
  route: '/v1/search',
  status: 200,
  requestId: 'request-7',
  storeId: 'shop',
  traceparent: `00-${TRACE}-${PARENT}-01`,
  startMs: NOW,
  endMs: NOW + 5,
  stages: [
    { name: 'plan', startMs: NOW, endMs: NOW + 1 },
    { name: 'execute', startMs: NOW + 1, endMs: NOW + 4, attributes: { 'aisle.found': 3 } },
  ],
}

/** Spans of these requests as the bytes that a collector is sent. */
async function sent(
  requests: readonly TracedRequest[],
  options: Partial<TracingOptions> = {},
): Promise<{ paths: string[]; bytes: Buffer }> {
  const paths: string[] = []
  const chunks: Buffer[] = []
  const collector = createServer((request, response) => {
    paths.push(`${request.method} ${request.url} ${request.headers['content-type']}`)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => response.end())
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${port}`
  process.env['OTEL_SERVICE_NAME'] = 'search of the shop'
  const failures: string[] = []
  const all = {
    sampler: 'parentbased_always_on',
    ratio: 1,
    scheduleDelayMs: 10,
    ...options,
  } as const
  const tracer = await createTracer(all, '1.2.3', (message) => failures.push(message))
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT']
  delete process.env['OTEL_SERVICE_NAME']
  for (const request of requests) tracer.record(request)
  await tracer.close()
  collector.close()
  assert.deepEqual(failures, [])
  return { paths, bytes: Buffer.concat(chunks) }
}

suite('spans by OTLP', () => {
  test('a request and its stages are sent, under the span of the caller', async () => {
    const { paths, bytes } = await sent([REQUEST])
    assert.deepEqual(paths, ['POST /v1/traces application/x-protobuf'])
    for (const text of [
      'POST /v1/search',
      'plan',
      'execute',
      'aisle.found',
      'request-7',
      'search of the shop',
      '1.2.3',
    ]) {
      assert.ok(bytes.includes(text), text)
    }
    assert.equal(bytes.toString('hex').split(TRACE).length - 1, 3, 'three spans of one trace')
    assert.equal(bytes.toString('hex').split(PARENT).length - 1, 1, 'one of them below the caller')
  })

  test('a request without a caller, or a malformed one, begins a trace', async () => {
    for (const traceparent of [undefined, 'x', `00-${'0'.repeat(32)}-${PARENT}-01`]) {
      const { bytes } = await sent([{ ...REQUEST, traceparent }])
      assert.ok(bytes.includes('POST /v1/search'))
      assert.ok(!bytes.toString('hex').includes(PARENT))
    }
  })

  test('what is not sampled is not sent', async () => {
    const unsampled = { ...REQUEST, traceparent: `00-${TRACE}-${PARENT}-00` }
    assert.deepEqual((await sent([unsampled])).paths, [])
    const alone = { ...REQUEST, traceparent: undefined }
    assert.deepEqual((await sent([alone], { sampler: 'always_off' })).paths, [])
    const share = { sampler: 'parentbased_traceidratio', ratio: 0 } as const
    assert.deepEqual((await sent([alone], share)).paths, [])
    assert.equal((await sent([REQUEST], share)).paths.length, 1, 'the caller decides')
  })
})
