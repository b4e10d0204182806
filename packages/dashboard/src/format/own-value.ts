/**
 * What an object itself has under a foreign name, and never what all objects have: a field of a
 * shop may be called `constructor`.
 */
export function ownValue<Value>(
  values: Readonly<Record<string, Value>> | null | undefined,
  name: string,
): Value | undefined {
  return values !== null && values !== undefined && Object.hasOwn(values, name)
    ? values[name]
    : undefined
}
