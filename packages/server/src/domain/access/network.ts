/**
 * Returns an IPv4 address, or the /64 network of an IPv6 one, because a client with one of its
 * addresses has them all.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = address.split('%', 1)[0]!.split('::', 2)
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(.)/, '$1'))
    .join(':')
}

/** Addresses of this machine. */
export function isLoopback(address: string): boolean {
  return address === '::1' || networkOf(address).startsWith('127.')
}
