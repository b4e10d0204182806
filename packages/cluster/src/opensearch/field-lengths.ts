import { averageLength } from '@aisle/engine/rescoring'

/** Documents of a usual length, with which each field begins. */
const USUAL_DOCUMENTS = 10
const USUAL_LENGTH = 12

/**
 * The average lengths of fields in the documents that this node has written. What is derived from
 * them only chooses candidates, so it does not matter that other nodes have met other documents.
 */
export class FieldLengths {
  readonly #totals: number[] = []
  readonly #counts: number[] = []

  /** Counts a document with a field of this length, above 0. */
  add(field: number, length: number): void {
    this.#totals[field] = (this.#totals[field] ?? USUAL_DOCUMENTS * USUAL_LENGTH) + length
    this.#counts[field] = (this.#counts[field] ?? USUAL_DOCUMENTS) + 1
  }

  average(field: number): number {
    return averageLength(this.#totals[field] ?? USUAL_LENGTH, this.#counts[field] ?? 1)
  }
}

/** Maximum of scopes whose lengths a node keeps; the oldest are forgotten. */
const SCOPES_MAX = 10_000

const lengthsByScope = new Map<string, FieldLengths>()

/** The lengths of the documents of a scope, as far as this node has written them. */
export function fieldLengthsOf(scope: string): FieldLengths {
  let lengths = lengthsByScope.get(scope)
  if (lengths === undefined) {
    lengths = new FieldLengths()
    lengthsByScope.set(scope, lengths)
    if (lengthsByScope.size > SCOPES_MAX) {
      lengthsByScope.delete(lengthsByScope.keys().next().value!)
    }
  }
  return lengths
}
