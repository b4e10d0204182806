import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditEntry } from '@aisle/client'
import { actionText, auditLines } from './audit-lines.ts'

const entry = (id: number, action: string, minute: number, more: Partial<AuditEntry> = {}) => ({
  id,
  at: new Date(Date.UTC(2026, 5, 1, 12, minute)).toISOString(),
  actor: 'user' as const,
  login: 'ana',
  action,
  store_id: 'shop',
  result: 'done' as const,
  status: 200,
  address: '127.0.0.1',
  user_agent: '',
  request_id: String(id),
  ...more,
})

test('reads of one page are one line, with the newest of them', () => {
  const lines = auditLines([
    entry(9, 'listKeys', 40),
    entry(8, 'rotateKey', 39),
    entry(7, 'listKeys', 35),
    entry(6, 'listKeys', 34, { login: 'ben' }),
    entry(5, 'listKeys', 26),
    entry(4, 'listKeys', 2),
    entry(3, 'rotateKey', 1),
    entry(2, 'rotateKey', 0),
    entry(1, 'listKeys', 0, { result: 'refused', count: 3 }),
  ])
  assert.deepEqual(
    lines.map(({ id, count }) => [id, count]),
    [
      [9, 3],
      [8, undefined],
      [6, undefined],
      [4, undefined],
      [3, undefined],
      [2, undefined],
      [1, 3],
    ],
  )
})

test('an action is named as people name it', () => {
  assert.equal(actionText('listKeys'), 'View keys')
  assert.equal(actionText('rotateKey'), 'Rotate key')
  assert.equal(actionText('constructor'), 'Constructor')
})
