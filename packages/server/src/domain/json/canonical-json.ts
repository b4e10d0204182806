/** JSON with sorted object keys, and with all digits of integers beyond 2^53. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const entries = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}:${canonicalJson(one)}`,
  )
  return `{${entries.toSorted().join()}}`
}
