import { CLIENT_LANGUAGES, generateClient, type ClientLanguage } from './lib/generate-client.ts'

/**
 * `npm run generate-client -- python FOLDER`: a client from the OpenAPI document
 * (docs/other-languages.md).
 */
const [language = '', folder = ''] = process.argv.slice(2)
const known = CLIENT_LANGUAGES.find((one) => one === language)
if (known === undefined || folder === '') {
  console.error(`npm run generate-client -- ${CLIENT_LANGUAGES.join('|')} FOLDER`)
  process.exit(2)
}
await generateClient(known satisfies ClientLanguage, folder)
console.log(folder)
