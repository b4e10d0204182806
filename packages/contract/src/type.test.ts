import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from './type.ts'

suite('makers of schemas', () => {
  // Goal: schemas equal those that TypeBox makes. Method: the same calls on both.
  test('each makes the same as TypeBox, in the same order', () => {
    const examples = [makeWith(Type), makeWith(TypeBox as unknown as typeof Type)]
    assert.equal(JSON.stringify(examples[0]), JSON.stringify(examples[1]))
  })
})

function makeWith(make: typeof Type): object[] {
  const shop = make.Object(
    {
      name: make.String({ maxLength: 5, description: 'Its name' }),
      size: make.Optional(make.Integer({ minimum: 1 })),
      price: make.Union([make.Number(), make.Null()], { description: 'In euros' }),
      open: make.Optional(make.Boolean({ default: false })),
      kind: make.Literal('shop'),
      mode: make.Optional(make.Enum(['a', 'b'], { default: 'a' })),
      tags: make.Array(make.String(), { maxItems: 3 }),
      more: make.Optional(make.Record(make.String(), make.Unknown({ description: 'Anything' }))),
    },
    { $id: 'Shop', additionalProperties: false },
  )
  return [
    shop,
    make.Object({ all: make.Optional(make.Unknown()) }),
    make.Partial(shop, { description: 'Partly' }),
    make.Required(shop),
    make.Required(make.Partial(shop)),
    make.Pick(shop, ['open', 'name']),
    make.Object(make.Pick(shop, ['size', 'name']).properties),
    make.Literal(3, { description: 'Three' }),
    make.Object({ inner: make.Optional(shop) }),
  ]
}
