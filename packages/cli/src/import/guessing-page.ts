import { DATE_ORDERS, NUMBER_FORMATS } from '@aisle/import'

/** The section of docs/cli.md about how an import reads columns. */
export function guessingPage(): string[] {
  const formats = Object.values(NUMBER_FORMATS).map((format) => `\`${format}\``)
  return [
    '## How types and numbers are guessed',
    '',
    '`aisle import <file> --preview` shows the result without sending anything: each column with its field, type, roles, share of empty rows, reason and examples, and then the values that do not fit, with their row numbers.',
    'A file is read to its end before the import, so that the proposed schema accepts all of its rows. Of standard input, the first 10,000 rows are read. The import page of the dashboard does the same.',
    '',
    '| values of a column | result |',
    '|---|---|',
    '| whole numbers | `int32`, or `int64` above 2 billion |',
    '| numbers with decimals; prices and ratios (`price`, `Preis`, `rating`, `weight`, …), even if all of them are whole | `float` |',
    `| \`12,50\`, \`1.299,00\`, \`1 299,00\`, \`1’299.00\`, \`$1,000.00\`, \`9.99 USD\`, \`15 %\` | numbers, in one format for the column: ${formats.join(' or ')}. \`--number-format 'Price=1.234,56'\` sets it |`,
    '| amounts with a currency | numbers; the currency of the price goes to the field `currency`, unless the file has one |',
    '| `true`/`false`, `yes`/`no`, `ja`/`nein`, `oui`/`non`, …; `0`/`1`, unless the name suggests a count | `bool` |',
    '| ISO 8601, `24.12.2025`, `12/24/2025` | `date` |',
    '| digits in a code: `sku`, `ean`, `gtin`, `upc`, `mpn`, `isbn`, `barcode`, part and article numbers, `phone`, `zip`, in several languages | searchable `string` |',
    '| `A > B > C`, or `A/B/C`, in half of the rows, with few roots and a single parent for each name | `category.lvl0`, `category.lvl1`, … for hierarchical menus, and the deepest name in `category` |',
    '| `a\\|b` in a cell | a list; `--list-separator` sets another separator |',
    '| text with HTML in most rows | the text without tags; `--keep-html` keeps them |',
    '| anything else | searchable `string`, with the role `facet` if values repeat |',
    '',
    '- Words such as `N/A`, `null` and `-` count as empty in a column of numbers, dates or flags.',
    '- A column without any value is left out.',
    `- If a column is ambiguous, such as \`1.299\` or \`03/04/2025\` in every row, unambiguous columns of the file decide. Otherwise the import asks. Without a terminal, it stops and names \`--number-format\` or \`--date-format\` (${Object.keys(DATE_ORDERS).join(', ')}).`,
    '- A column with a few values that are not numbers stays text, and these values are listed. `--type price=float` makes it a column of numbers and refuses the rows with these values.',
    '- Strings in JSON rows become numbers only if the name or a currency suggests it, or if the field in the store is a number. An existing field accepts all of these notations.',
    '- The id column (`--id-column sku`) is also imported as a searchable field, unless its name is `id`. A query that is an id always finds its document.',
    '- A row with the id of an earlier row replaces it. The import reports their number and the first ten ids. Rows without an id are refused, unless you use `--generate-ids` or choose it when asked.',
    '- Fields that the schema lacks are listed together. `--unknown add` adds them, `ignore` skips them, and `refuse` refuses rows with them.',
    '',
  ]
}
