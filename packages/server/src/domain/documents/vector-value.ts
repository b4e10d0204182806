import { COMPONENT_MAX, type VectorShape } from '@aisle/engine'
import type { Fault } from './field-fault.ts'
import { scanElements, textOf, type JsonElement } from '../json/json-scan.ts'

/** Reads the vector of a document: a list of as many numbers as its field says. */
export function readVector(
  bytes: Uint8Array,
  { kind, start, end }: JsonElement,
  { dimensions }: VectorShape,
): readonly number[] | Fault {
  const expected = `must be vector: a list of ${dimensions} numbers`
  if (kind !== 'array') {
    return { code: 'invalid_type', message: `${expected}, received ${kindName(kind)}` }
  }
  const elements = scanElements(bytes, start, end)
  if (elements.length !== dimensions) {
    return { code: 'invalid_type', message: `${expected}, received ${elements.length}` }
  }
  const values = new Array<number>(dimensions)
  for (const [i, element] of elements.entries()) {
    if (element.kind !== 'number') {
      const message = `${expected}, received ${kindName(element.kind)} as element ${i}`
      return { code: 'invalid_type', message }
    }
    const value = Number(textOf(bytes, element.start, element.end))
    if (!(Math.abs(value) <= COMPONENT_MAX)) {
      const message = `has a number beyond ${COMPONENT_MAX} as element ${i}`
      return { code: 'out_of_range', message }
    }
    values[i] = value
  }
  return values
}

function kindName(kind: JsonElement['kind']): string {
  return kind === 'true' || kind === 'false' ? 'a boolean' : kind === 'null' ? 'null' : `a ${kind}`
}
