import { DATE_ORDERS, NUMBER_FORMATS } from '@aisle/import'

/** The part of docs/cli.md on how an import reads columns. */
export function guessingPage(): string[] {
  const formats = Object.values(NUMBER_FORMATS).map((format) => `\`${format}\``)
  return [
    '## How types and numbers are guessed',
    '',
    '`aisle import <file> --preview` shows it without sending anything: every column with its field, type, roles, the share of empty rows, the reason, and examples; below them the values that are in the way, with their row numbers.',
    'A file is read to its end first, so that the proposed schema refuses none of its rows; standard input is read up to 10,000 rows. The import page of the dashboard does the same.',
    '',
    '| values of a column | become |',
    '|---|---|',
    '| whole numbers | `int32`, or `int64` beyond 2 billion |',
    '| numbers with decimals; prices and ratios (`price`, `Preis`, `rating`, `weight`, …), even if all are whole so far | `float` |',
    `| \`12,50\`, \`1.299,00\`, \`1 299,00\`, \`1’299.00\`, \`$1,000.00\`, \`9.99 USD\`, \`15 %\` | numbers, by one decision for the column: ${formats.join(' or ')}. \`--number-format 'Price=1.234,56'\` decides it |`,
    '| amounts with a currency | numbers; the currency of the price goes to a field `currency`, unless the file has one |',
    '| `true`/`false`, `yes`/`no`, `ja`/`nein`, `oui`/`non`, …; `0`/`1` unless the name says that it counts | `bool` |',
    '| ISO 8601, `24.12.2025`, `12/24/2025` | `date` |',
    '| digits of a code: `sku`, `ean`, `gtin`, `upc`, `mpn`, `isbn`, `barcode`, part and article numbers, `phone`, `zip`, in several languages | searchable `string` |',
    '| `A > B > C`, or `A/B/C`, in half of the rows, with few roots and every name below one parent | `category.lvl0`, `category.lvl1`, … for hierarchical menus, and the deepest name in `category` |',
    '| `a\\|b` in a cell | a list; `--list-separator` is another sign |',
    '| texts with HTML in most rows | their text; `--keep-html` leaves the tags |',
    '| anything else | searchable `string`, with the role `facet` if values repeat |',
    '',
    '- Words such as `N/A`, `null` and `-` are no value in a column of numbers, dates or flags.',
    '- A column that has a value in no row is left out.',
    `- Where nothing decides, it asks: \`1.299\` in every row may be either number, \`03/04/2025\` either day. Other columns of the file decide if they are clear. Without a terminal it stops and names \`--number-format\` or \`--date-format\` (${Object.keys(DATE_ORDERS).join(', ')}).`,
    '- A column that is nearly all numbers stays text, and the other values are named; `--type price=float` makes it numbers and refuses those rows.',
    '- Texts of JSON rows are numbers only if the name or a currency says so, or if the field of the store is one. A field of the store takes all of these spellings.',
    '- The column of the ids (`--id-column sku`) stays a searchable field. One that is called `id` is not a field; a query that is an id finds its document.',
    '- Rows with the id of an earlier row replace it; they are counted and the first ten are named. Rows without an id are refused, unless `--generate-ids` is given or you say so when asked.',
    '- Fields that the schema does not have are named all at once; `--unknown add` adds them, `ignore` leaves them out, `refuse` refuses their rows.',
    '',
  ]
}
