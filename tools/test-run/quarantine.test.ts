import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { REPOSITORY } from '@aisle/testing'
import { QUARANTINE, QUARANTINE_MAX } from './quarantine.ts'

test('the quarantine is short, and each entry has its file, day and issue', () => {
  assert.ok(QUARANTINE.length <= QUARANTINE_MAX)
  for (const { file, since, issue } of QUARANTINE) {
    assert.ok(file.endsWith('.test.ts') && existsSync(join(REPOSITORY, file)), file)
    assert.equal(new Date(since).toISOString().slice(0, 10), since, file)
    assert.match(issue, /^[A-Z].{30,}\.$/, file)
  }
  const days = QUARANTINE.map(({ since }) => since)
  assert.deepEqual(days, days.toSorted())
})
