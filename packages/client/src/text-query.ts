/** Parameters of the query string; lists as JSON. */
export function textQuery(parameters: object): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      Array.isArray(value) ? JSON.stringify(value) : value === undefined ? value : String(value),
    ]),
  )
}
