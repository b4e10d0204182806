/** One record of a source. */
export type SourceRow =
  | JsonRow
  | { readonly kind: 'table'; readonly cells: Readonly<Record<string, string>> }
  /** A table row whose number of cells differs from the number of columns. */
  | { readonly kind: 'ragged'; readonly cells: readonly string[]; readonly error: string }

export interface JsonRow {
  readonly kind: 'json'
  readonly text: string
  /** What the text says, if the row was made of values: its numbers are JavaScript's. */
  readonly entry?: Readonly<Record<string, unknown>>
  /** About the length of the text, if the row was made of values. */
  readonly chars?: number
}

/** A row that was made of values. Few need its text, which is written when it is asked for. */
export class MadeRow implements JsonRow {
  readonly kind = 'json'
  readonly entry: Readonly<Record<string, unknown>>
  readonly chars: number

  constructor(entry: Readonly<Record<string, unknown>>, chars: number) {
    this.entry = entry
    this.chars = chars
  }

  get text(): string {
    return JSON.stringify(this.entry)
  }
}

/** About the number of characters that a row holds, for limits. */
export function charsOf(row: SourceRow): number {
  return row.kind === 'json' ? (row.chars ?? row.text.length) : 100
}
