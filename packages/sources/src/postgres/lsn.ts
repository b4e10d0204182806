/** A place in the write-ahead log is written as `16/B374D848`: two halves, in hexadecimal. */
export function lsnText(lsn: bigint): string {
  const half = (value: bigint): string => value.toString(16).toUpperCase()
  return `${half(lsn >> 32n)}/${half(lsn & 0xffffffffn)}`
}

export function readLsn(text: string): bigint {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
