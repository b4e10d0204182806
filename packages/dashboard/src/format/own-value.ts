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
