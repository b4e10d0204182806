import fc from 'fast-check'
import type { Analyzer } from '../analysis/analyzer.ts'
import type { ElementsNode, FilterLeaf, FilterNode } from '../query/filter.ts'
import type { ElementType, Field, Schema } from '../schema/schema.ts'
import { elementFields, elementType, hasColumn, isNumeric, isPlace } from '../schema/schema.ts'
import { arbitraryElement, arbitraryText, arbitraryWord, FACET_VALUES } from './generate.ts'
import { arbitraryArea } from './generate-places.ts'
import { arbitraryNear } from './generate-vectors.ts'

/** Filters of every kind of leaf, up to three levels deep. */
export function arbitraryFilter(
  schema: Schema,
  analyzer: Analyzer,
  depth = 2,
): fc.Arbitrary<FilterNode> {
  const leaf = arbitraryLeaf(schema, analyzer)
  if (depth === 0) return leaf
  const inner = arbitraryFilter(schema, analyzer, depth - 1)
  const nodes = fc.array(inner, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { arbitrary: leaf, weight: 4 },
    { arbitrary: nodes.map((nodes): FilterNode => ({ kind: 'and', nodes })), weight: 2 },
    { arbitrary: nodes.map((nodes): FilterNode => ({ kind: 'or', nodes })), weight: 2 },
    { arbitrary: inner.map((node): FilterNode => ({ kind: 'not', node })), weight: 1 },
    ...arbitraryElementFilters(schema, analyzer).map((arbitrary) => ({ arbitrary, weight: 3 })),
  )
}

/** Filters on one element of each `object[]` field. */
export function arbitraryElementFilters(
  schema: Schema,
  analyzer: Analyzer,
): fc.Arbitrary<ElementsNode>[] {
  return schema.fields.flatMap(({ type }, objects) => {
    if (type !== 'object[]') return []
    const fields = elementFields(schema, objects)
    const leaves = fields.flatMap((field) => leavesOfField(schema.fields[field]!, field, analyzer))
    if (leaves.length === 0) return []
    const leaf: fc.Arbitrary<FilterNode> = fc.oneof(...leaves)
    const nodes = fc.array(
      fc.oneof(
        { arbitrary: leaf, weight: 3 },
        { arbitrary: leaf.map((node): FilterNode => ({ kind: 'not', node })), weight: 1 },
      ),
      { maxLength: 3 },
    )
    return [
      fc
        .tuple(fc.constantFrom('and' as const, 'or' as const), nodes)
        .map(([kind, nodes]) => ({ kind: 'elements', field: objects, node: { kind, nodes } })),
    ]
  })
}

function arbitraryLeaf(schema: Schema, analyzer: Analyzer): fc.Arbitrary<FilterLeaf> {
  const id = fc.nat(62).map((n) => `id-${n}`)
  const ids = fc.array(id, { minLength: 1, maxLength: 30, size: 'max' })
  return fc.oneof(
    { arbitrary: ids.map((ids): FilterLeaf => ({ kind: 'ids', ids })), weight: 1 },
    ...schema.fields.flatMap((field, ordinal) =>
      leavesOfField(field, ordinal, analyzer).map((arbitrary) => ({ arbitrary, weight: 2 })),
    ),
  )
}

/** By value if the field has a column; by words if it is text or searchable. */
function leavesOfField(
  field: Field,
  ordinal: number,
  analyzer: Analyzer,
): fc.Arbitrary<FilterLeaf>[] {
  const type = elementType(field.type)
  const leaves: fc.Arbitrary<FilterLeaf>[] = []
  if (field.vector !== undefined) {
    leaves.push(fc.constant({ kind: 'exists', field: ordinal }))
    leaves.push(arbitraryNear(ordinal, field.vector))
    return leaves
  }
  if (isPlace(field)) {
    leaves.push(fc.constant({ kind: 'exists', field: ordinal }))
    leaves.push(arbitraryArea().map((area) => ({ kind: 'within', field: ordinal, area })))
    return leaves
  }
  if (hasColumn(field)) {
    leaves.push(fc.constant({ kind: 'exists', field: ordinal }))
    leaves.push(
      fc
        .oneof(
          arbitraryElement(type),
          ...(type === 'string' ? [fc.constantFrom(...FACET_VALUES)] : []),
          ...beyond(type),
        )
        .map((value) => ({
          kind: 'equals',
          field: ordinal,
          value: typeof value === 'string' ? analyzer.fold(value) : value,
        })),
    )
    if (isNumeric(field)) {
      leaves.push(
        fc
          .record({
            ...arbitraryBounds(field),
            lowInclusive: fc.boolean(),
            highInclusive: fc.boolean(),
          })
          .map((range) => ({ kind: 'range', field: ordinal, ...withoutUndefined(range) })),
      )
    }
  }
  if (hasColumn(field) && type === 'string') {
    leaves.push(
      fc
        .tuple(
          fc.oneof(fc.constantFrom(...FACET_VALUES), arbitraryText(), arbitraryWord()),
          fc.integer({ min: 1, max: 6 }),
        )
        .map(([text, length]) => analyzer.fold([...text].slice(0, length).join('')))
        .filter((prefix) => prefix !== '')
        .map((prefix) => ({ kind: 'valuePrefix', field: ordinal, prefix })),
    )
  }
  if (field.searchable || (hasColumn(field) && type === 'string')) {
    const text = type === 'string' ? arbitraryWord() : arbitraryElement(type).map(String)
    const forms = fc
      .array(text, { minLength: 1, maxLength: 2 })
      .map((words) => formsOf(words.join(' '), analyzer))
      .filter((forms) => forms.length > 0)
    leaves.push(forms.map((forms) => ({ kind: 'words', field: ordinal, forms })))
    leaves.push(
      fc.tuple(forms, fc.integer({ min: 1, max: 4 })).map(([[form], length]) => ({
        kind: 'wordPrefix',
        field: ordinal,
        prefix: [...form!].slice(0, length).join(''),
      })),
    )
  }
  return leaves
}

export function formsOf(text: string, analyzer: Analyzer): string[] {
  return analyzer.analyze(text).map((token) => token.form)
}

/** Numbers outside the range of the field type. */
function beyond(type: ElementType): fc.Arbitrary<number | bigint>[] {
  switch (type) {
    case 'int32':
      return [fc.constantFrom(2 ** 31, -(2 ** 31) - 1, 99_999_999_999)]
    case 'int64':
      return [fc.constantFrom(2n ** 63n, -(2n ** 63n) - 1n, 10n ** 25n)]
    case 'float':
    case 'date':
      return [fc.constantFrom(Infinity, -Infinity)]
    default:
      return []
  }
}

/** Open and closed ends, some outside the range of the type, sometimes in the wrong order. */
export function arbitraryBounds(field: Field): {
  low: fc.Arbitrary<number | bigint | undefined>
  high: fc.Arbitrary<number | bigint | undefined>
} {
  const type = elementType(field.type)
  const number = arbitraryElement(type) as fc.Arbitrary<number | bigint>
  const some = fc.oneof(
    { arbitrary: number, weight: 6 },
    ...beyond(type).map((arbitrary) => ({ arbitrary, weight: 1 })),
  )
  const bound = fc.option(some, { nil: undefined, freq: 4 })
  return { low: bound, high: bound }
}

type Bounds<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export function withoutUndefined<T extends object>(value: T): Bounds<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, part]) => part !== undefined),
  ) as Bounds<T>
}
