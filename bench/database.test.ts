import assert from 'node:assert/strict'
import test from 'node:test'
import { databaseSkip } from '@aisle/sources/test'
import { databaseLevel, databaseText } from './lib/database-level.ts'

test('a small table is copied and followed', { skip: databaseSkip('postgres') }, async () => {
  const report = await databaseLevel(300)
  assert.doesNotMatch(databaseText(report), /NaN|undefined/)
})
