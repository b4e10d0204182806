import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shopSchema } from '../plan/plan-fixture.ts'
import { plannedNumeric } from './numeric-rank.ts'

const dates = { nowMs: Date.parse('2026-01-01T12:34:56Z'), timeZone: 'Europe/Berlin' }
const released = {
  ...shopSchema.fields[4]!,
  name: 'released',
  type: 'date' as const,
}
const schema = { fields: [...shopSchema.fields, released] }
const decay = { field: 'released', weight: 0.3, shape: 'decay' as const, scale: '2h' }

test('dates are in seconds, and `now` is the beginning of the hour', () => {
  const noon = Date.parse('2026-01-01T12:00:00Z') / 1000
  assert.deepEqual(plannedNumeric({ ...decay, origin: 'now' }, schema, dates), {
    field: schema.fields.length - 1,
    weight: 0.3,
    shape: 'decay',
    scale: 7_200,
    origin: noon,
  })
  const given = plannedNumeric({ ...decay, origin: '2026-01-01T12:00:00' }, schema, dates)
  assert.equal(given?.origin, noon)
})

test('a setting that a later schema made invalid has no effect', () => {
  const price = { field: 'price', weight: 0.3, shape: 'linear' as const, scale: 10 }
  assert.equal(plannedNumeric(price, schema, dates)?.field, 4)
  const gone = { fields: schema.fields.slice(0, 4) }
  assert.equal(plannedNumeric(price, gone, dates), undefined)
  const text = { fields: schema.fields.map((field) => ({ ...field, type: 'string' as const })) }
  assert.equal(plannedNumeric(price, text, dates), undefined)
  assert.equal(plannedNumeric({ ...price, weight: 0 }, schema, dates), undefined)
})
