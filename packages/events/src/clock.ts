/** Milliseconds since 1970, by the visitor's clock; the service corrects it by `sentAt`. */
export function now(): number {
  return Date.now()
}
