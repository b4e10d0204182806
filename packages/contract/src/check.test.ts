import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError, SearchParameters, Type, UNKNOWN_PARAMETERS_MAX } from './index.ts'
import { parameterReader, unknownParameters } from './check.ts'

const read = parameterReader<SearchParameters>(SearchParameters)

/** The `code param` that `value` is refused with. */
function refusal(value: unknown): string {
  try {
    read(value)
    return 'accepted'
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return `${error.code} ${error.param ?? ''}`.trim()
  }
}

suite('search parameters', () => {
  const accepted: readonly object[] = [
    { q: '' },
    { q: '*', per_page: 0 },
    { q: '*', per_page: 250, page: 1 },
    { q: 'x'.repeat(1_000) },
    { q: '😀'.repeat(1_000) },
    { q: '*', typo_max: 0, typo_min_len_1: 1, typo_min_len_2: 100 },
    { q: '*', facet_by: ['brand', 'price'], sort_by: 'price:asc' },
    { q: '*', field_weights: { title: 3 } },
    { q: '*', filters: { price: { min: 12345678901234567890n } } },
    { q: '*', unknown: 1 },
    {
      q: '*',
      per_page: null,
      filters: null,
      facet_by: null,
      prefix_mode: null,
      field_weights: null,
    },
  ]
  for (const value of accepted) {
    const text = JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? String(v) : v))
    test(`${text.slice(0, 60)} is accepted`, () => assert.equal(refusal(value), 'accepted'))
  }

  const refused: readonly (readonly [object | string | null, string])[] = [
    [{}, 'missing_parameter q'],
    [{ q: 5 }, 'invalid_parameter q'],
    [{ q: null }, 'invalid_parameter q'],
    [{ q: 'x'.repeat(1_001) }, 'invalid_parameter q'],
    [{ q: '*', per_page: 251 }, 'invalid_parameter per_page'],
    [{ q: '*', per_page: -1 }, 'invalid_parameter per_page'],
    [{ q: '*', per_page: 1.5 }, 'invalid_parameter per_page'],
    [{ q: '*', per_page: '10' }, 'invalid_parameter per_page'],
    [{ q: '*', per_page: 12345678901234567890n }, 'invalid_parameter per_page'],
    [{ q: '*', page: 0 }, 'invalid_parameter page'],
    [{ q: '*', typo_max: 3 }, 'invalid_parameter typo_max'],
    [{ q: '*', prefix_mode: 'sometimes' }, 'invalid_parameter prefix_mode'],
    [{ q: '*', infix_mode: true }, 'invalid_parameter infix_mode'],
    [{ q: '*', require_all_terms: 'yes' }, 'invalid_parameter require_all_terms'],
    [{ q: '*', search_fields: 'title' }, 'invalid_parameter search_fields'],
    [{ q: '*', search_fields: ['title', 5] }, 'invalid_parameter search_fields[1]'],
    [{ q: '*', field_weights: { title: 'x' } }, 'invalid_parameter field_weights.title'],
    [{ q: '*', filters: [] }, 'invalid_parameter filters'],
    [{ q: '*', facet_by: 5 }, 'invalid_parameter facet_by'],
    [{ q: '*', search_timeout_ms: 0 }, 'invalid_parameter search_timeout_ms'],
    [{ q: '*', analytics_tags: [''] }, 'invalid_parameter analytics_tags[0]'],
    ['*', 'invalid_parameter'],
    [null, 'invalid_parameter'],
    [[], 'invalid_parameter'],
  ]
  for (const [value, expected] of refused) {
    const text = JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? String(v) : v))
    test(`${text.slice(0, 60)} is refused: ${expected}`, () => {
      assert.equal(refusal(value), expected)
    })
  }

  test('all wrong parameters are reported at once, with what was expected', () => {
    assert.throws(
      () => read({ per_page: 300, typo_max: 'x' }),
      (error: ApiError) => {
        assert.deepEqual(
          error.details.map((detail) => detail.message),
          [
            'Parameter `q` is required',
            'Parameter `per_page` must be an integer from 0 to 250, received 300',
            'Parameter `typo_max` must be an integer from 0 to 2, received "x"',
          ],
        )
        return true
      },
    )
  })

  test('a number above another one is refused with both of its bounds', () => {
    const limit = Type.Number({ exclusiveMinimum: 0, maximum: 0.5 })
    const read = parameterReader(Type.Object({ limit }))
    assert.throws(() => read({ limit: 9 }), {
      message: 'Parameter `limit` must be a number above 0 and at most 0.5, received 9',
    })
  })

  test('a malformed time is answered with an example', () => {
    const read = parameterReader(Type.Object({ from: Type.String({ format: 'date-time' }) }))
    assert.throws(() => read({ from: 'x' }), {
      message:
        'Parameter `from` must be an ISO 8601 time with an offset, such as `2026-01-31T00:00:00Z`, received "x"',
    })
  })

  test('a nested fault is reported with its path and what is expected there', () => {
    const item = Type.Object(
      {
        words: Type.Array(Type.String({ minLength: 1, maxLength: 9 }), {
          minItems: 2,
          maxItems: 3,
        }),
      },
      { additionalProperties: false },
    )
    const readSet = parameterReader(
      Type.Object({ items: Type.Array(item) }, { additionalProperties: false }),
    )
    assert.throws(
      () =>
        readSet({ items: [{ words: ['a', 5] }, { words: ['a'] }, {}, 7, { wrods: [] }], extra: 1 }),
      (error: ApiError) => {
        assert.deepEqual(
          error.details.map((detail) => detail.message),
          [
            'Unknown parameter `extra`',
            'Parameter `items[0].words[1]` must be a string of 1 to 9 characters, received 5',
            'Parameter `items[1].words` must be a list of 2 to 3 entries, received a list of 1',
            'Parameter `items[2].words` is required',
            'Parameter `items[3]` must be an object, received 7',
            'Parameter `items[4].words` is required',
            'Unknown parameter `items[4].wrods`, did you mean `words`?',
          ],
        )
        return true
      },
    )
  })

  test('null counts as absent where a member is optional, nested too, and is kept where it is a value', () => {
    const item = Type.Object({ id: Type.Optional(Type.String()), anything: Type.Unknown() })
    const readSet = parameterReader(
      Type.Object({
        items: Type.Optional(Type.Array(item)),
        note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        free: Type.Optional(Type.Unknown()),
        flag: Type.Optional(Type.Boolean()),
      }),
    )
    const sent = {
      items: [{ id: null, anything: null }],
      note: null,
      free: { a: null },
      flag: null,
    }
    const kept = JSON.stringify(sent)
    assert.deepEqual(readSet(sent), {
      items: [{ anything: null }],
      note: null,
      free: { a: null },
    })
    assert.equal(JSON.stringify(sent), kept, 'what was sent is left as it is')
    assert.throws(() => readSet({ items: [null] }), /`items\[0\]` must be an object, received null/)
  })

  test('names of the object prototype are unknown parameters', () => {
    const value = JSON.parse('{"q":"*","__proto__":{"per_page":300},"constructor":1}') as object
    read(value)
    assert.deepEqual(unknownParameters(SearchParameters, value), ['__proto__', 'constructor'])
  })
})

test('refuses many unknown parameters at once, and names how many and the first', () => {
  const names = Array.from({ length: UNKNOWN_PARAMETERS_MAX + 1 }, (_, i) => `k${i}`)
  const many = Object.fromEntries(names.map((name) => [name, null]))
  const few = { q: '*', ...Object.fromEntries(names.slice(1).map((name) => [name, 1])) }
  assert.equal(read(few), few)
  assert.throws(() => read({ q: '*', ...many }), {
    code: 'invalid_parameter',
    param: 'k0',
    message: '101 unknown parameters: `k0`, `k1`, `k2`, `k3`, `k4`, …',
  })
})

test('a list or an object that is too long is refused before its entries are read', () => {
  let readCount = 0
  const counted = new Proxy([], {
    get: (_, name) => {
      if (name === 'length') return 100_000
      if (typeof name === 'string' && /^\d/.test(name)) readCount++
      return Reflect.get([], name) as unknown
    },
  })
  assert.throws(() => read({ q: '*', return_fields: counted }), {
    code: 'invalid_parameter',
    param: 'return_fields',
  })
  assert.equal(readCount, 0)
})
