import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BulkReport } from './bulk-report.ts'

test('a report combines both shapes of the API', () => {
  const report = new BulkReport()
  let json = report.begin()
  json += report.add({ status: 'created', id: 'a"b' })
  json += report.add({ status: 'updated', id: '2' })
  json += report.add({
    status: 'failed',
    id: '3',
    code: 'document_exists',
    message: 'There is a document "3"',
    details: [],
  })
  json += report.end()
  assert.deepEqual(JSON.parse(json), {
    status: 207,
    results: [
      { id: 'a"b', index: 0, status: 'created', code: 201 },
      { id: '2', index: 1, status: 'updated', code: 200 },
      {
        id: '3',
        index: 2,
        status: 'failed',
        code: 400,
        error: 'There is a document "3"',
        error_code: 'document_exists',
      },
    ],
    success: false,
    indexed: 2,
    errors: [{ id: '3', index: 2, error: 'There is a document "3"' }],
    summary: { total: 3, succeeded: 2, failed: 1 },
  })
})

test('a document that the service could not store has a code that says so', () => {
  const message = 'Cannot write: the disks are full'
  const report = new BulkReport()
  const json = `${report.begin()}${report.add({ status: 'failed', id: '1', code: 'disk_reserve', message, details: [] })}${report.end()}`
  assert.equal(JSON.parse(json).results[0].code, 507)
})

test('an empty report is a success with zeros', () => {
  const report = new BulkReport()
  assert.deepEqual(JSON.parse(report.begin() + report.end()), {
    status: 207,
    results: [],
    success: true,
    indexed: 0,
    errors: [],
    summary: { total: 0, succeeded: 0, failed: 0 },
  })
})
