import type { StoreKeys } from '@aisle/testing'

/** The bytes of a whole HTTP request for a search. @param visitor an anonymous id */
export function rawSearch(keys: StoreKeys, parameters: object, visitor?: string): Buffer {
  return rawPost('/v1/search', parameters, [
    `x-storeid: ${keys.storeId}`,
    `x-storesecret: ${keys.readSecret}`,
    ...(visitor === undefined ? [] : [`x-anon-id: ${visitor}`]),
  ])
}

/** The bytes of a whole HTTP request with a JSON body. @param headers further lines of the head */
export function rawPost(path: string, content: object, headers: readonly string[] = []): Buffer {
  const body = JSON.stringify(content)
  return Buffer.from(
    [
      `POST ${path} HTTP/1.1`,
      'host: localhost',
      'content-type: application/json',
      ...headers,
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
}
