/**
 * An object's own value under a name from outside, never an inherited one: a field of a shop may be
 * called `constructor`.
 */
export function ownValue<Value>(
  values: Readonly<Record<string, Value>> | null | undefined,
  name: string,
): Value | undefined {
  return values !== null && values !== undefined && Object.hasOwn(values, name)
    ? values[name]
    : undefined
}

/**
 * The value of a field of a document: `variants.color` is that of all elements of `variants`, in a
 * list.
 */
export function fieldValue(document: Readonly<Record<string, unknown>>, name: string): unknown {
  const own = ownValue(document, name)
  const dot = name.indexOf('.')
  if (own !== undefined || dot < 0) return own
  const holder = ownValue(document, name.slice(0, dot))
  const rest = name.slice(dot + 1)
  const inside = (one: unknown): unknown =>
    typeof one === 'object' && one !== null
      ? fieldValue(one as Readonly<Record<string, unknown>>, rest)
      : undefined
  if (!Array.isArray(holder)) return inside(holder)
  return holder.flatMap((one: unknown) => inside(one) ?? [])
}
