/** The default field of a column: `Product Name` -> `product_name`. */
export function fieldNameOf(column: string): string {
  return column
    .normalize('NFKC')
    .trim()
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '')
}
