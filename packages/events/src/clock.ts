/** Milliseconds since 1970 by the visitor's clock, which the service corrects by `sentAt`. */
export function now(): number {
  return Date.now()
}
