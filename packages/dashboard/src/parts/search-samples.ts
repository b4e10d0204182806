import type { SearchParameters } from '@aisle/contract'
import { shellText } from '../format/quoting.ts'
import type { CodeSample } from '../ui/code-block.tsx'

/**
 * A search in the languages of a shop.
 *
 * @param url of the service
 * @param readSecret the key, or a placeholder of it
 */
export function searchSamples(
  request: SearchParameters,
  { url, storeId, readSecret }: Record<'url' | 'storeId' | 'readSecret', string>,
): CodeSample[] {
  const body = JSON.stringify(request, undefined, 2)
  const values = { url: JSON.stringify(url), storeId: JSON.stringify(storeId) }
  return [
    {
      label: 'curl',
      code: [
        `curl ${shellText(`${url}/v1/search`)} \\`,
        `  -H ${shellText(`x-storeid: ${storeId}`)} \\`,
        `  -H 'x-storesecret: ${readSecret}' \\`,
        `  -H 'content-type: application/json' \\`,
        `  -d ${shellText(body)}`,
      ].join('\n'),
    },
    {
      label: 'JavaScript',
      code: `const response = await fetch(${values.url} + '/v1/search', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'x-storeid': ${values.storeId},
    'x-storesecret': '${readSecret}',
  },
  body: JSON.stringify(${indented(body)}),
})
const { found, hits } = await response.json()`,
    },
    {
      label: 'Client',
      code: `import { AisleClient } from '@aisle/client'

const aisle = new AisleClient({ url: ${values.url}, readSecret: '${readSecret}' })
const { found, hits } = await aisle.store(${values.storeId}).search(${body})`,
    },
    {
      label: 'Python',
      code: `import json, urllib.request

request = urllib.request.Request(
    ${values.url} + "/v1/search",
    headers={
        "content-type": "application/json",
        "x-storeid": ${values.storeId},
        "x-storesecret": "${readSecret}",
    },
    data=json.dumps(json.loads(r'''${body.replaceAll("'''", String.raw`\u0027\u0027\u0027`)}''')).encode(),
)
print(json.load(urllib.request.urlopen(request)))`,
    },
  ]
}

function indented(json: string): string {
  return json.replaceAll('\n', '\n  ')
}
