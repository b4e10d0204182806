import type { StoreKeys } from '@aisle/testing'

/** The bytes of a whole HTTP request for a search. */
export function rawSearch(keys: StoreKeys, parameters: object): Buffer {
  const body = JSON.stringify(parameters)
  return Buffer.from(
    [
      'POST /v1/search HTTP/1.1',
      'host: localhost',
      'content-type: application/json',
      `x-storeid: ${keys.storeId}`,
      `x-storesecret: ${keys.readSecret}`,
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
}
