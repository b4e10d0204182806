import fc from 'fast-check'
import type { FilterLeaf } from '../query/filter.ts'
import type { PlannedMeaning, SortKey } from '../query/plan.ts'
import type { Field, Schema, VectorShape } from '../schema/schema.ts'
import { queryVector } from '../vectors/quantise.ts'

/** Vectors with equal ones, opposite ones, zeros and extreme numbers among them. */
export function arbitraryVector(dimensions: number): fc.Arbitrary<readonly number[]> {
  const list = (number: fc.Arbitrary<number>) =>
    fc.array(number, { minLength: dimensions, maxLength: dimensions })
  return fc.oneof(
    { arbitrary: list(fc.constantFrom(-1, 0, 1)), weight: 3 },
    { arbitrary: list(fc.integer({ min: -1000, max: 1000 }).map((n) => n / 1000)), weight: 3 },
    { arbitrary: list(fc.constantFrom(0, -0, 3.4e38, -3.4e38, 1e-45, 1)), weight: 1 },
    { arbitrary: fc.constant(Array<number>(dimensions).fill(0)), weight: 1 },
  )
}

/** None, or a field of vectors. */
export function arbitraryVectorFields(): fc.Arbitrary<Field[]> {
  const shape = fc.record({
    dimensions: fc.constantFrom(8, 17, 32),
    metric: fc.constantFrom('cosine' as const, 'dot'),
  })
  const field = shape.map((vector): Field => ({
    name: 'meaning',
    type: 'vector',
    searchable: false,
    facet: false,
    sort: false,
    vector,
  }))
  return fc.array(field, { maxLength: 1 })
}

function arbitraryQuery({ dimensions, metric }: VectorShape) {
  return arbitraryVector(dimensions).map((values) => queryVector(values, metric))
}

export function arbitraryNear(field: number, shape: VectorShape): fc.Arbitrary<FilterLeaf> {
  return fc
    .record({ vector: arbitraryQuery(shape), least: fc.constantFrom(-1, 0, 0.25, 0.7, 1) })
    .map((near) => ({ kind: 'near', field, ...near }))
}

export function arbitrarySimilarity(field: number, shape: VectorShape): fc.Arbitrary<SortKey> {
  return fc
    .record({ vector: arbitraryQuery(shape), descending: fc.constantFrom(true, true, false) })
    .map((order) => ({ kind: 'similarity', field, ...order }))
}

/** What a query means, if the schema has a field of vectors. */
export function arbitraryMeaning(schema: Schema): fc.Arbitrary<PlannedMeaning | undefined> {
  const field = schema.fields.findIndex(({ vector }) => vector !== undefined)
  if (field < 0) return fc.constant(undefined)
  const meaning = fc
    .record({
      vector: arbitraryQuery(schema.fields[field]!.vector!),
      weight: fc.constantFrom(0.3, 0, 1),
      words: fc.constantFrom(1, 2, 3),
      isQuestion: fc.boolean(),
      least: fc.constantFrom(undefined, -1, 0, 0.5, 0.9),
    })
    .map(({ least, ...rest }) => ({ field, ...rest, ...(least === undefined ? {} : { least }) }))
  return fc.option(meaning, { nil: undefined, freq: 2 })
}
