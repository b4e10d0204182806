import { RefusedError } from '@aisle/client'
import type { ErrorDetail, ErrorResponse } from '@aisle/contract'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureText, fieldErrors } from './failure.ts'

const LOGIN: Partial<ErrorResponse> = {
  error: 'Parameter `login` must be 1 to 100 characters',
  code: 'invalid_parameter',
  param: 'login',
  details: [],
}

test('an error at its field does not name the field', () => {
  const error = new RefusedError(400, LOGIN, 'no answer')
  assert.deepEqual(fieldErrors(error), { login: 'Must be 1 to 100 characters' })
  assert.deepEqual(fieldErrors(new Error('other')), {})
  const details: ErrorDetail[] = [
    { code: 'invalid_parameter', param: 'id', message: '"id" is required' },
    { code: 'invalid_parameter', message: 'without a field' },
  ]
  assert.deepEqual(fieldErrors(new RefusedError(422, { ...LOGIN, details }, '')), {
    id: 'Is required',
  })
})

test('a note says what failed, and names fields without words of the API', () => {
  const error = new RefusedError(400, LOGIN, 'no answer')
  const { title, why } = failureText(error)
  assert.deepEqual([title, why], ["Couldn't save", '“login” must be 1 to 100 characters'])
  assert.equal(failureText(error, 'load').title, "Couldn't load")
  assert.equal(
    failureText(new RefusedError(503, undefined, 'busy')).title,
    'The service is busy or starting',
  )
})
