import { fieldNameOf } from './field-name.ts'

/** Cells of a row, by the column in lower case. */
export type Cells = ReadonlyMap<string, string>

export function cellsOf(cells: Readonly<Record<string, string>>): Cells {
  return new Map(Object.entries(cells).map(([column, cell]) => [column.toLowerCase(), cell.trim()]))
}

/** The first of these columns that is not empty. */
export function cellOf(cells: Cells, ...columns: readonly string[]): string {
  for (const column of columns) {
    const cell = cells.get(column)
    if (cell !== undefined && cell !== '') return cell
  }
  return ''
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/

/** A product combined from several rows. */
export class ShopProduct {
  readonly #id: string
  readonly #texts = new Map<string, string>()
  readonly #lists = new Map<string, Set<string>>()
  readonly #flags = new Map<string, boolean>()
  #price: number | undefined
  #priceBefore: number | undefined
  #stock: number | undefined

  constructor(id: string) {
    this.#id = id
  }

  setText(name: string, value: string): void {
    if (value !== '') this.#texts.set(name, value)
  }

  setFlag(name: string, value: string): void {
    if (value !== '') this.#flags.set(name, /^(true|yes|1)$/i.test(value))
  }

  addTo(name: string, values: readonly string[]): void {
    if (RESERVED.has(name) || name === '') return
    let list = this.#lists.get(name)
    if (list === undefined) this.#lists.set(name, (list = new Set()))
    for (const value of values) if (value.trim() !== '') list.add(value.trim())
  }

  /** Options that buyers choose: `Color`, `Size`. */
  addOption(name: string, values: readonly string[]): void {
    this.addTo(fieldNameOf(name), values)
  }

  /** A product costs what its cheapest variant costs. */
  addPrice(price: string, before: string): void {
    const number = numberOf(price)
    if (number === undefined || (this.#price !== undefined && this.#price <= number)) return
    this.#price = number
    this.#priceBefore = numberOf(before)
  }

  addStock(stock: string): void {
    const number = numberOf(stock)
    if (number !== undefined) this.#stock = (this.#stock ?? 0) + Math.trunc(number)
  }

  /** A JSON entry of an import. */
  toJson(): string {
    const lists = [...this.#lists].filter(([, values]) => values.size > 0)
    const data = {
      ...Object.fromEntries(this.#texts),
      ...(this.#price === undefined ? {} : { price: this.#price }),
      ...(this.#priceBefore === undefined ? {} : { price_before: this.#priceBefore }),
      ...(this.#stock === undefined ? {} : { stock: this.#stock }),
      ...Object.fromEntries(this.#flags),
      ...Object.fromEntries(lists.map(([name, values]) => [name, [...values]])),
    }
    return JSON.stringify({ id: this.#id, data })
  }
}

/** Reserved names that an option cannot have. */
const RESERVED = new Set(['id', 'title', 'description', 'price', 'price_before', 'stock', 'image'])

function numberOf(text: string): number | undefined {
  const plain = text.replaceAll(',', '.')
  return NUMBER.test(plain) ? Number(plain) : undefined
}
